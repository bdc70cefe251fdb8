import { type Diagnostic, type Isolation, SkillError, type WorkspaceRuntime } from "@skillwright/core";
import { skillBox } from "@skillwright/skillbox";
import { workspaceManager } from "@skillwright/workspace";

/** What a command in a workspace finds on this machine, determined by running one. */
export interface TriedWorkspace {
  readonly isolation: Isolation;
  /** `5.2.15(1)-release`; empty where commands run in another shell. */
  readonly bash: string;
  /** `Python 3.11.2`; empty where there is none. */
  readonly python: string;
  readonly durationMs: number;
  readonly diagnostics: readonly Diagnostic[];
}

const COMMAND = 'echo "$BASH_VERSION"; python3 --version 2>&1 || echo';

/** Creates a workspace, runs a command in it and removes it; returns the error where that fails. */
export async function tryWorkspace(
  openRuntime: () => WorkspaceRuntime,
  signal: AbortSignal | undefined,
): Promise<TriedWorkspace | SkillError> {
  try {
    await using runtime = openRuntime();
    const known = await runtime.capabilities({ signal });
    await using skills = skillBox({});
    await using workspaces = workspaceManager({ skills, runtime, destroyOnClose: true });
    const swept = await workspaces.sweep({ signal });
    const { id } = await workspaces.create({ signal });
    const { stdout, isolation, durationMs, diagnostics } = await workspaces.run(
      id,
      { command: COMMAND, timeoutMs: 20_000 },
      { signal },
    );
    const [bash = "", python = ""] = stdout.text.split("\n");
    const version = python.startsWith("Python ") ? python : "";
    return {
      isolation,
      bash,
      python: version,
      durationMs,
      diagnostics: eachOnce([...(known.diagnostics ?? []), ...diagnostics, ...swept.diagnostics]),
    };
  } catch (error) {
    if (signal?.aborted) throw error;
    return SkillError.from(error, "Running a command in a workspace");
  }
}

/** A run repeats diagnostics that the runtime already reported. */
function eachOnce(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...new Map(diagnostics.map((one) => [`${one.code} ${one.message}`, one])).values()];
}
