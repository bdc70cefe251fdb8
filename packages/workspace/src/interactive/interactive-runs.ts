import {
  type RuntimeWorkspace,
  SkillError,
  type WorkspaceRun,
  type WorkspaceRunHandle,
  type WorkspaceRunOptions,
  type WorkspaceRunResult,
  type Workspaces,
} from "@skillwright/core";
import { delegate, type RunHandle } from "@skillwright/core/adapter";

const MAX_TIMEOUT_MS = 24 * 60 * 60 * 1000;

/** How a run is started whose input arrives while it is in progress. */
export interface InteractiveStart {
  readonly timeoutMs: number;
  begun(handle: RunHandle, cwd: string): void;
}

/** A run as `Workspaces.run`; with `interactive`, its input is left open when it has started. */
export type StartableRun = (
  id: string,
  wanted: WorkspaceRun,
  options: WorkspaceRunOptions | undefined,
  interactive?: InteractiveStart,
) => Promise<WorkspaceRunResult>;

/**
 * `Workspaces.start`, built over `Workspaces.run` so that a started run is prepared, collected and reported like any
 * other.
 */
export function interactiveStart(run: StartableRun): NonNullable<Workspaces["start"]> {
  return async (id, wanted, { signal, ...listening } = {}) => {
    const timeoutMs = checkStart(wanted);
    const onlyStart = startSignal(signal);
    let begin: (begun: { handle: RunHandle; cwd: string }) => void = () => undefined;
    const begun = new Promise<{ handle: RunHandle; cwd: string }>((resolve) => {
      begin = resolve;
    });
    const result = run(
      id,
      { ...wanted, timeoutMs: undefined },
      { signal: onlyStart.signal, ...listening },
      { timeoutMs, begun: (handle, cwd) => begin({ handle, cwd }) },
    );
    try {
      const { handle, cwd } = await Promise.race([begun, result.then(neverBegan)]);
      return handleOf(handle, { workspaceId: id, cwd, result });
    } finally {
      onlyStart.done();
    }
  };
}

/** The workspace for `run` of core, which starts the command in this way. */
export function startingInteractive(
  workspace: RuntimeWorkspace,
  { timeoutMs, begun }: InteractiveStart,
): RuntimeWorkspace {
  return delegate(workspace, {
    async start(command, options) {
      const handle = await workspace.start({ ...command, interactive: true, timeoutMs }, options);
      begun(handle, command.cwd);
      // `run` would close the input at once, because it has nothing to feed.
      return delegate(handle, { endInput: async () => undefined });
    },
  });
}

function checkStart({ stdin, timeoutMs = MAX_TIMEOUT_MS }: WorkspaceRun): number {
  if (stdin !== undefined)
    throw new SkillError(
      "INPUT_INVALID",
      "An interactive run receives its input through `write`. Leave stdin out.",
    );
  if (!(timeoutMs > 0))
    throw new SkillError(
      "INPUT_INVALID",
      "The timeout is not a positive number of milliseconds. Correct it.",
    );
  if (timeoutMs <= MAX_TIMEOUT_MS) return timeoutMs;
  throw new SkillError(
    "LIMIT_EXCEEDED",
    `The timeout of ${timeoutMs} ms is above the maximum of ${MAX_TIMEOUT_MS} ms. Give less.`,
    { details: { limit: MAX_TIMEOUT_MS } },
  );
}

/** The caller's signal until the command has started. */
function startSignal(
  signal: AbortSignal | undefined,
): Pick<WorkspaceRunOptions, "signal"> & { done(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  return { signal: controller.signal, done: () => signal?.removeEventListener("abort", abort) };
}

function handleOf(
  handle: RunHandle,
  more: Pick<WorkspaceRunHandle, "workspaceId" | "cwd" | "result">,
): WorkspaceRunHandle {
  return {
    ...more,
    runId: handle.runId,
    output: (options) => handle.output(options),
    write: (bytes) => handle.write(bytes),
    endInput: () => handle.endInput(),
    signal: (name) => handle.signal(name),
  };
}

function neverBegan(): never {
  throw new SkillError("BACKEND_FAILED", "The run ended before it started. Try again.");
}
