import {
  type CallOptions,
  type Diagnostic,
  type RunLimits,
  type RunResult,
  type RuntimeWorkspace,
  type Skill,
  SkillError,
} from "@skillwright/core";
import { checkAborted, run, WORKSPACE_LAYOUT } from "@skillwright/core/adapter";
import type { RunMemory } from "./run-memory.js";

const PYTHON = ".venv/bin/python";
const TIMEOUT_MS = 60_000;

export interface PythonProbe extends CallOptions {
  readonly runtime: RuntimeWorkspace;
  readonly memory: Pick<RunMemory, "pythons">;
  /** The probe's own run is named after it. */
  readonly runId: string;
  readonly limits: RunLimits | undefined;
  readonly bestEffort: boolean | undefined;
  readonly tell: (diagnostic: Diagnostic) => void;
}

/**
 * Whether the skill has a virtual environment whose python runs in the workspace. A success is remembered per content of a
 * skill, a failure per limits; a failure caused by a limit or a timeout is tried again by the next run. A symlink to the
 * machine where the environment was created is not a file of the skill. An environment that does not run is a diagnostic.
 */
export async function hasVirtualEnvironment(
  { name, digest, manifest }: Pick<Skill, "name" | "digest" | "manifest">,
  probe: PythonProbe,
): Promise<boolean> {
  const hasFiles = manifest.files.some(({ path }) => path.startsWith(".venv/bin/"));
  if (!hasFiles) return false;
  const isProgram = manifest.files.some(({ path, executable }) => executable && path === PYTHON);
  const runs = isProgram && (await remembered(name, digest, probe));
  if (!runs) probe.tell(notUsed(name));
  return runs;
}

async function remembered(name: string, digest: string, probe: PythonProbe): Promise<boolean> {
  const { pythons } = probe.memory;
  const withLimits = `${digest} ${JSON.stringify(probe.limits ?? {})}`;
  const known = pythons.get(digest) ?? pythons.get(withLimits);
  if (known !== undefined) return known;
  const { exitCode, timedOut, diagnostics } = await started(name, probe);
  const runs = exitCode === 0;
  const wasStopped = timedOut || diagnostics.some(({ code }) => /^limit\..*-reached$/.test(code));
  if (runs) pythons.set(digest, true);
  else if (!wasStopped) pythons.set(withLimits, false);
  return runs;
}

async function started(
  name: string,
  { runtime, runId, limits, bestEffort, signal }: PythonProbe,
): Promise<RunResult> {
  const own = `${runId}.python`;
  try {
    const result = await run(
      runtime,
      {
        runId: own,
        command: '"$PYTHON" -c ""',
        cwd: ".",
        env: { PYTHON: `${runtime.root}/${WORKSPACE_LAYOUT.skills}/${name}/${PYTHON}` },
        timeoutMs: TIMEOUT_MS,
        maxOutputBytes: 0,
        limits,
        bestEffort,
      },
      { signal },
    );
    checkAborted(signal);
    return result;
  } finally {
    await runtime.remove?.(`${WORKSPACE_LAYOUT.runs}/${own}`).catch((error: unknown) => {
      if (!SkillError.is(error)) throw error;
    });
  }
}

function notUsed(name: string): Diagnostic {
  return {
    code: "run.venv-not-used",
    severity: "info",
    message: `The virtual environment of the skill "${name}" is not used: its ${PYTHON} is not a program that runs here.`,
    hint: "Create it with `python3 -m venv --copies` on a system like the one where commands run, or remove it.",
  };
}
