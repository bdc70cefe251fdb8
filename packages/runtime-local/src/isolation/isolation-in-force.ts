import type { Diagnostic, Isolation } from "@skillwright/core";
import { findProgram } from "../host/find-program.js";
import { hostInterpreters } from "../host/interpreters.js";
import { pythonFallback } from "../host/python-fallback.js";
import { findShell, type Shell } from "../host/shell.js";
import type { RuntimeRoot } from "../storage/runtime-root.js";
import { findSupervisor } from "../supervisor/find-supervisor.js";
import { noSupervisor } from "../supervisor/no-supervisor.js";
import { findSandbox, type Sandbox, type SandboxHost } from "./sandbox.js";
import { isolationUnavailable, type Unavailable } from "./unavailable.js";

export type IsolationWish = "sandbox" | "auto" | "none";

/** How this runtime starts commands; determined once. */
export interface IsolationInForce {
  readonly isolation: Isolation;
  /** What to do to get a sandbox, if one was requested and there is none. */
  readonly remedy: string | undefined;
  /** Missing where commands are not isolated. */
  readonly sandbox: Sandbox | undefined;
  readonly shell: Shell;
  /** Directories to put at the front of PATH. */
  readonly path: readonly string[];
  /** For the end of PATH: a directory, as commands see it, with a `python` that starts `python3` where there is only that. */
  readonly pythonFallback: string | undefined;
  /** Absolute path of the program that starts and ends runs. Without it, this process does both. */
  readonly supervisor: string | undefined;
  /** Absolute path of the program that sets per-process limits where there is no supervisor. */
  readonly prlimit: string | undefined;
  /** What is weaker or missing on this machine. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Determines how to start commands for the requested isolation.
 * @throws SkillError `ISOLATION_UNAVAILABLE`; with `auto` only when it could not be determined.
 */
export async function decideIsolation(
  wish: IsolationWish,
  root: () => Promise<RuntimeRoot>,
  host: SandboxHost,
): Promise<IsolationInForce> {
  const found = wish === "none" ? { unavailable: notWanted } : await findSandbox(await root(), host);
  const shell = await findShell();
  if ("sandbox" in found) {
    const { sandbox } = found;
    const { path, pythonFallback, supervisor, diagnostics } = sandbox;
    const isolation = { level: "namespace", by: `bubblewrap ${sandbox.version.text}` } as const;
    return {
      isolation,
      remedy: undefined,
      sandbox,
      shell,
      path,
      pythonFallback,
      supervisor,
      prlimit: undefined,
      diagnostics,
    };
  }
  const { unavailable } = found;
  if (wish === "sandbox" || unavailable.transient) throw isolationUnavailable(unavailable);
  const isolation = { level: "none", by: unavailable.why } as const;
  const path = await interpreterDirectories(host);
  const { own } = await root();
  const python = await pythonFallback(path, own);
  return {
    isolation,
    remedy: wish === "none" ? undefined : unavailable.remedy,
    sandbox: undefined,
    shell,
    path,
    pythonFallback: python,
    ...(await plainMeans(host, own)),
  };
}

async function plainMeans(
  host: SandboxHost,
  own: string,
): Promise<Pick<IsolationInForce, "supervisor" | "prlimit" | "diagnostics">> {
  const found = await findSupervisor(host.supervisor, { credentials: undefined, directory: own });
  if ("program" in found)
    return { supervisor: found.program, prlimit: undefined, diagnostics: [canAskOthers] };
  const diagnostics = [noSupervisor(found.missing)];
  return { supervisor: undefined, prlimit: await findProgram("prlimit"), diagnostics };
}

const canAskOthers: Diagnostic = {
  code: "isolation.can-ask-others",
  severity: "info",
  message:
    "Every descendant of a command is ended with its run, but a command has this user's permissions: it can have a service of " +
    "the machine start a process for it, and it can kill its own supervisor.",
  hint: "Run commands that may do that in a sandbox.",
};

const notWanted: Unavailable = { why: 'isolation "none" was requested', remedy: "", transient: false };

async function interpreterDirectories(host: SandboxHost): Promise<readonly string[]> {
  const directories = (await hostInterpreters(host)).map(({ found }) => found.replace(/\/[^/]*$/, ""));
  return [...new Set(directories)].filter((directory) => !/^(\/usr)?(\/local)?\/s?bin$/.test(directory));
}
