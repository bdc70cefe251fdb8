import type { Isolation } from "@skillwright/core";
import { findProgram } from "../host/find-program.js";
import { hostInterpreters } from "../host/interpreters.js";
import { findShell, type Shell } from "../host/shell.js";
import type { RuntimeRoot } from "../storage/runtime-root.js";
import { findSandbox, type Sandbox, type SandboxHost } from "./sandbox.js";
import { isolationUnavailable, type Unavailable } from "./unavailable.js";

export type IsolationWish = "sandbox" | "auto" | "none";

/** How this runtime starts commands, decided once. */
export interface IsolationInForce {
  readonly isolation: Isolation;
  /** Missing where commands are not isolated. */
  readonly sandbox: Sandbox | undefined;
  readonly shell: Shell;
  /** For the front of PATH. */
  readonly path: readonly string[];
  /** Absolute path of the program that sets limits for a process and its children, where there is one. */
  readonly prlimit: string | undefined;
}

/**
 * Finds out how commands can be started as wished.
 * @throws SkillError `ISOLATION_UNAVAILABLE`; with `auto` only when it could not be found out.
 */
export async function decideIsolation(
  wish: IsolationWish,
  root: () => Promise<RuntimeRoot>,
  host: SandboxHost,
): Promise<IsolationInForce> {
  const found = wish === "none" ? { unavailable: notWanted } : await findSandbox(await root(), host);
  const [shell, prlimit] = await Promise.all([findShell(), findProgram("prlimit")]);
  if ("sandbox" in found) {
    const { sandbox } = found;
    const isolation = { level: "namespace", by: `bubblewrap ${sandbox.version.text}` } as const;
    return { isolation, sandbox, shell, path: sandbox.path, prlimit };
  }
  const { unavailable } = found;
  if (wish === "sandbox" || unavailable.transient) throw isolationUnavailable(unavailable);
  const isolation = { level: "none", by: unavailable.why } as const;
  return { isolation, sandbox: undefined, shell, path: await interpreterDirectories(host), prlimit };
}

const notWanted: Unavailable = { why: 'isolation "none" was asked for', remedy: "", transient: false };

async function interpreterDirectories(host: SandboxHost): Promise<readonly string[]> {
  const directories = (await hostInterpreters(host)).map(({ found }) => found.replace(/\/[^/]*$/, ""));
  return [...new Set(directories)].filter((directory) => !/^(\/usr)?(\/local)?\/s?bin$/.test(directory));
}
