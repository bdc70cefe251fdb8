import {
  type RuntimeWorkspace,
  SkillError,
  type WorkspaceRun,
  type WorkspaceRunHandle,
  type WorkspaceRunOptions,
  type WorkspaceRuntime,
  type Workspaces,
} from "@skillwright/core";
import { delegate, type RunHandle } from "@skillwright/core/adapter";

const MAX_TIMEOUT_MS = 24 * 60 * 60 * 1000;

/**
 * `Workspaces.start`, built over `Workspaces.run` so that a started run is prepared, collected and reported like any
 * other.
 */
export interface InteractiveRuns {
  /** Wraps the runtime for use by `run`. */
  over(runtime: WorkspaceRuntime): WorkspaceRuntime;
  start(run: Workspaces["run"]): NonNullable<Workspaces["start"]>;
}

interface Starting {
  readonly timeoutMs: number;
  begun(handle: RunHandle, cwd: string): void;
}

export function interactiveRuns(): InteractiveRuns {
  /** Keyed by the standard input that identifies them on their way through `run`. */
  const starting = new WeakMap<object, Starting>();

  function over(runtime: WorkspaceRuntime): WorkspaceRuntime {
    return delegate(runtime, {
      create: async (id, options) => talkative(await runtime.create(id, options)),
      attach: async (id, options) => {
        const workspace = await runtime.attach(id, options);
        return workspace && talkative(workspace);
      },
    });
  }

  function talkative(workspace: RuntimeWorkspace): RuntimeWorkspace {
    return delegate(workspace, {
      async start(command, options) {
        const { stdin } = command;
        const wanted = typeof stdin === "object" ? starting.get(stdin) : undefined;
        if (!wanted) return await workspace.start(command, options);
        const open = { ...command, stdin: undefined, interactive: true, timeoutMs: wanted.timeoutMs };
        const handle = await workspace.start(open, options);
        wanted.begun(handle, command.cwd);
        // `run` would close the input at once, because it has nothing to feed.
        return delegate(handle, { endInput: async () => undefined });
      },
    });
  }

  function start(run: Workspaces["run"]): NonNullable<Workspaces["start"]> {
    return async (id, wanted, { signal, ...listening } = {}) => {
      const timeoutMs = checkStart(wanted);
      const stdin = noInput();
      const onlyStart = startSignal(signal);
      const begun = new Promise<{ handle: RunHandle; cwd: string }>((resolve) =>
        starting.set(stdin, { timeoutMs, begun: (handle, cwd) => resolve({ handle, cwd }) }),
      );
      const result = run(
        id,
        { ...wanted, stdin, timeoutMs: undefined },
        { signal: onlyStart.signal, ...listening },
      );
      try {
        const { handle, cwd } = await Promise.race([begun, result.then(neverBegan)]);
        return handleOf(handle, { workspaceId: id, cwd, result });
      } finally {
        onlyStart.done();
      }
    };
  }

  return { over, start };
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

async function* noInput(): AsyncGenerator<Uint8Array> {
  // A placeholder for the input that arrives through `write`.
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
