import { type CallOptions, type RuntimeWorkspace, SkillError } from "@skillwright/core";
import { checkAborted, run, WORKSPACE_LAYOUT } from "@skillwright/core/adapter";
import { newRunId } from "../run/run-id.js";
import type { EnvironmentKind } from "./environment-need.js";

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 4 * 1024;

/** None of these reads a file that a command could have written. */
const INTERPRETERS: Readonly<Record<EnvironmentKind, string>> = {
  python: `python3 -I -S -c 'import sys; print(sys.version, sys.base_prefix, getattr(sys.implementation, "_multiarch", ""))'`,
  node: `node -p 'process.version + " " + process.platform + " " + process.arch'`,
  ruby: `ruby --disable-gems -e 'puts RUBY_DESCRIPTION'`,
};

/**
 * What an environment's tree depends on, in one line: machine, C library, and the interpreter's version and place, as
 * commands of the workspace see them. A missing interpreter is an identity too.
 * @throws SkillError `BACKEND_FAILED` where the interpreter does not answer within a minute; `ABORTED`.
 */
export async function interpreterIdentity(
  kind: EnvironmentKind,
  workspace: RuntimeWorkspace,
  { signal }: CallOptions = {},
): Promise<string> {
  const runId = newRunId(Date.now());
  const command = `{
uname -sm
getconf GNU_LIBC_VERSION || ls /lib/ld-musl-*
${INTERPRETERS[kind]} || echo missing
} 2> /dev/null`;
  const bounds = { timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES };
  try {
    const result = await run(workspace, { runId, command, cwd: ".", env: {}, ...bounds }, { signal });
    checkAborted(signal);
    if (result.timedOut) throw noAnswer(kind, workspace.id);
    return result.stdout.text.trim().replaceAll(/\s+/g, " ");
  } finally {
    // What stays is removed with the workspace.
    await workspace.remove?.(`${WORKSPACE_LAYOUT.runs}/${runId}`).catch(() => undefined);
  }
}

function noAnswer(kind: EnvironmentKind, workspaceId: string): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `The ${kind} interpreter in the workspace ${workspaceId} did not tell its version within ${TIMEOUT_MS / 1000} seconds. Run again.`,
    { details: { workspaceId, kind } },
  );
}
