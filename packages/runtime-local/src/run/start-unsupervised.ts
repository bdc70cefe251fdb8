import type { CallOptions } from "@skillwright/core";
import {
  checkAborted,
  checkCommand,
  type RunCommand,
  type RunHandle,
  secretMasking,
} from "@skillwright/core/adapter";
import { outputLog } from "@skillwright/supervisor";
import { type ChildCommand, childCommand } from "./child-command.js";
import { launchRequest } from "./launch-request.js";
import { diskWatchOf, fileLimitOf } from "./limit-watches.js";
import { endRun } from "./live-runs.js";
import { type RunCopies, runCopiesOf } from "./run-copies.js";
import { runHandle } from "./run-handle.js";
import type { RunMeans, RunPlace } from "./start-run.js";

/** Starts a run where there is no supervisor: this process itself ends it, and only this one finds it. */
export async function startUnsupervised(
  place: RunPlace,
  command: RunCommand,
  { means, signal }: CallOptions & { means: RunMeans },
): Promise<RunHandle> {
  checkAborted(signal);
  checkCommand(command);
  const masking = secretMasking(command.env);
  const claim = means.live.claim(place.id, command.runId);
  let copies: RunCopies | undefined;
  try {
    copies = await runCopiesOf(place, command.runId, { means, signal });
    const { request, diagnostics } = launchRequest(place, command, { means, copies });
    const startedMs = performance.now();
    const reachedBy = fileLimitOf(place, request.limits, copies);
    const { isolation, prlimit } = means.inForce;
    const told = [...diagnostics, ...masking.diagnostics];
    const log = outputLog({ limit: command.maxOutputBytes, masking });
    const child = await childCommand(request, { prlimit, onOutput: log.append });
    const handle = await orEnded(child, () => {
      const watch = diskWatchOf(place, { request, inside: async () => undefined, copies });
      const options = { startedMs, signal, isolation, diagnostics: told, masking, log, watch, reachedBy };
      return withCopies(runHandle(child, command, options), copies);
    });
    claim.started(handle, { note: { directory: place.paths.live, pid: child.pid } });
    await endIfGone(place, handle);
    return handle;
  } catch (error) {
    claim.release();
    await copies?.remove();
    throw masking.error(error);
  }
}

/** A command that was started, but whose caller gets an error, is ended: nobody else would end it. */
async function orEnded(child: ChildCommand, handled: () => RunHandle): Promise<RunHandle> {
  try {
    return handled();
  } catch (error) {
    child.kill();
    await child.ended;
    throw error;
  }
}

/** The result is available when the copies are removed. */
function withCopies(handle: RunHandle, copies: RunCopies | undefined): RunHandle {
  if (!copies) return handle;
  const result = handle.result.finally(copies.remove);
  // The caller may not have started to wait for it yet.
  result.catch(() => undefined);
  return { ...handle, result };
}

/** Closing the runtime or destroying the workspace during the start ended only the runs that were started before. */
async function endIfGone({ record }: RunPlace, handle: RunHandle): Promise<void> {
  try {
    record();
  } catch (error) {
    await endRun(handle);
    throw error;
  }
}
