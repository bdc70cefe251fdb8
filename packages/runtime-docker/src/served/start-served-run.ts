import { type CallOptions, SkillError } from "@skillwright/core";
import { checkAborted, eitherSignal, type RunCommand, type RunHandle } from "@skillwright/core/adapter";
import { outputLog } from "@skillwright/supervisor";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { giveBack, startHeld } from "../run/container-limits.js";
import { endedMeanwhile, type RunMeans } from "../run/start-run.js";
import { prepareRun } from "./prepare-run.js";
import { servedHandle } from "./served-handle.js";
import { startServed } from "./served-run.js";
import { whyNotStarted } from "./why-not-started.js";

/** As `startRun`, for a container whose supervisor starts its runs. */
export async function startServedRun(
  container: WorkspaceContainer,
  command: RunCommand,
  { means, signal, starting = signal }: CallOptions & { means: RunMeans; starting?: AbortSignal | undefined },
): Promise<RunHandle> {
  checkAborted(starting);
  const prepared = prepareRun(container, command, means);
  const { masking, limits } = prepared;
  const claim = means.live.claim(container.workspaceId, command.runId);
  const either = { signal: eitherSignal(starting, claim.signal) };
  try {
    const log = outputLog(command.maxOutputBytes, masking);
    const hasInput = command.interactive === true || command.stdin !== undefined;
    const begin = async () => {
      const stream = await container.engine.streams.open(container, either);
      const run = await startServed(container, stream, prepared, {
        ...either,
        hasInput,
        onOutput: log.append,
      });
      return { run, startedAt: stream.startedAt };
    };
    const { run, startedAt } = await startHeld(
      container,
      { own: limits.container, inTurn: claim.inTurn },
      begin,
      either,
    );
    const why = await whyNotStarted(run, prepared);
    if (why) throw why;
    const handle = servedHandle(container, run, command, {
      signal,
      isolation: means.isolation,
      prepared,
      log,
      startedAt,
      hasOthers: claim.hasOthers,
      afterwards: (late) => giveBack(late, limits.container),
    });
    claim.started(handle);
    if (claim.signal.aborted) await handle.signal("SIGKILL");
    return handle;
  } catch (error) {
    claim.release();
    if (claim.signal.aborted && !signal?.aborted && SkillError.is(error, "ABORTED")) throw endedMeanwhile();
    throw masking.error(error);
  }
}
