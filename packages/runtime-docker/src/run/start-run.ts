import {
  type CallOptions,
  containedPath,
  type Diagnostic,
  type Isolation,
  type RunLimits,
  SkillError,
} from "@skillwright/core";
import {
  checkAborted,
  checkCommand,
  eitherSignal,
  pythonFallbackDiagnostics,
  type RunCommand,
  type RunHandle,
  secretMasking,
  WORKSPACE_LAYOUT,
} from "@skillwright/core/adapter";
import { FALLBACK, ROOT, type WorkspaceContainer } from "../container/workspace-container.js";
import { startServedRun } from "../served/start-served-run.js";
import { checkNetwork } from "./check-network.js";
import { giveBack, startHeld } from "./container-limits.js";
import { launch, prepareLaunch } from "./launch.js";
import type { LaunchRequest } from "./launch-request.js";
import type { LiveRuns } from "./live-runs.js";
import { planLimits } from "./plan-limits.js";
import { noBash } from "./run-diagnostics.js";
import { runEnvironment } from "./run-environment.js";
import { runHandle } from "./run-handle.js";

/** The same for all workspaces of a runtime. */
export interface RunMeans {
  readonly live: LiveRuns;
  /** The isolation named in the capabilities. */
  readonly isolation: Isolation;
  /** The limits of runs that the capabilities name. */
  readonly enforced: readonly (keyof RunLimits)[];
  /** On the image's PATH, where that is known. */
  readonly programs: readonly string[];
  /** How long a run with a key goes on when no process follows it. */
  readonly leaseMs: number;
  /** Fires when the runtime is closed. */
  readonly closed: AbortSignal;
}

/**
 * Starts a command in a container, making it ready first. Validates everything first; once the command runs, all
 * further problems are in its result. With `starting`, only that signal aborts the start, and `signal` ends the running
 * command.
 * @throws SkillError as `RuntimeWorkspace.start`, `CONFLICT` for a run id in use, `CLOSED` when the runs were ended
 * meanwhile.
 */
export async function startRun(
  container: WorkspaceContainer,
  command: RunCommand,
  { means, signal, starting = signal }: CallOptions & { means: RunMeans; starting?: AbortSignal | undefined },
): Promise<RunHandle> {
  if (container.isServed) return await startServedRun(container, command, { means, signal, starting });
  checkAborted(starting);
  checkCommand(command);
  const cwd = command.cwd === "." ? ROOT : `${ROOT}/${containedPath(command.cwd)}`;
  const limits = planLimits(command, means.enforced);
  const network = checkNetwork(command, container.hasNetwork);
  const masking = secretMasking(command.env);
  // Validated before the engine is asked; the image's variables are not known yet.
  const isPython3 = means.programs.includes("python3") && !means.programs.includes("python");
  const place = { programPath: container.programPath, lastPath: isPython3 ? [FALLBACK] : [] };
  runEnvironment(command, place, []);
  const claim = means.live.claim(container.workspaceId, command.runId);
  const either = { signal: eitherSignal(starting, claim.signal) };
  try {
    if (limits.container.processes !== undefined) {
      await container.ready(either);
      await means.live.presence.before(container, claim.over);
    }
    const requestWith = (variables: readonly string[]): LaunchRequest => ({
      command: command.command,
      cwd,
      runDirectory: `${ROOT}/${WORKSPACE_LAYOUT.runs}/${command.runId}`,
      environment: runEnvironment(command, place, variables),
      input: command.interactive === true || command.stdin !== undefined,
      openFiles: limits.openFiles,
      fileBytes: limits.fileBytes,
      limits: limits.container,
      host: means.live.presence.mark,
    });
    // In parallel with the check of the container; if the container was paused, this fails.
    const known = container.variables();
    const early = known && prepareLaunch(container, requestWith(known), either).catch(() => undefined);
    const { Config, State } = await container.ready(either);
    const request = requestWith(Config.Env ?? []);
    const prepared = (await early) ?? (await prepareLaunch(container, request, either));
    const begin = () => launch(container, request, prepared, either);
    const held = { own: limits.container, inTurn: claim.inTurn };
    const started = await startHeld(container, held, begin, either);
    const shell = container.isBash ? [] : [noBash()];
    const told: readonly Diagnostic[] = [...shell, ...limits.diagnostics, ...network, ...masking.diagnostics];
    const python = isPython3 ? pythonFallbackDiagnostics(command) : [];
    const diagnostics = [...told, ...python, ...started.diagnostics];
    const { isolation } = means;
    const handle = runHandle(container, started, command, {
      signal,
      isolation,
      diagnostics,
      masking,
      startedAt: State.StartedAt,
      hasOthers: claim.hasOthers,
      afterwards: (late) => giveBack(late, limits.container),
    });
    claim.started(handle);
    means.live.presence.during(container, claim.over);
    if (claim.signal.aborted) await handle.signal("SIGKILL");
    return handle;
  } catch (error) {
    claim.release();
    if (claim.signal.aborted && !signal?.aborted && SkillError.is(error, "ABORTED")) throw endedMeanwhile();
    throw masking.error(error);
  }
}

export function endedMeanwhile(): SkillError {
  return new SkillError(
    "CLOSED",
    "The command was not started, because its workspace was destroyed or its runtime was closed in the meantime.",
  );
}
