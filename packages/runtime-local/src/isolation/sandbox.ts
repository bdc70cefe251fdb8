import type { Diagnostic } from "@skillwright/core";
import { untilItWorks } from "@skillwright/core/adapter";
import { isRoot, UNPRIVILEGED } from "../host/credentials.js";
import { findProgram } from "../host/find-program.js";
import { type HostPrograms, hostInterpreters } from "../host/interpreters.js";
import { pythonFallback } from "../host/python-fallback.js";
import { unreachablePart } from "../host/reachable.js";
import { runTool } from "../host/run-tool.js";
import type { OwnGroups } from "../limits/control-group-hierarchies.js";
import type { RuntimeRoot } from "../storage/runtime-root.js";
import { findSupervisor } from "../supervisor/find-supervisor.js";
import { supervisorMount } from "../supervisor/inside-command.js";
import { bubblewrapVersion } from "./bubblewrap-version.js";
import { sandboxConfiguration } from "./configuration.js";
import { interpreterMounts } from "./interpreter-mounts.js";
import { readOnly } from "./mount.js";
import type { SandboxLauncher } from "./sandbox-launcher.js";
import { programMounts } from "./system-mounts.js";
import { tryPrograms } from "./try-programs.js";
import { trySandbox } from "./try-sandbox.js";
import {
  notInstalled,
  notLinux,
  notSupervised,
  outOfReach,
  refused,
  tooOld,
  type Unavailable,
} from "./unavailable.js";

export interface Sandbox extends SandboxLauncher {
  /** Directories to put at the front of PATH inside. */
  readonly path: readonly string[];
  /** As `IsolationInForce` has it. */
  readonly pythonFallback: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Reports the interpreters that do not run inside, tested once. Starting them takes longer than a run, and no run needs
   * the answer. @throws SkillError `ISOLATION_UNAVAILABLE` when the machine was too busy.
   */
  readonly programDiagnostics: () => Promise<readonly Diagnostic[]>;
}

export interface SandboxHost extends HostPrograms {
  readonly platform: string;
  /** Where bubblewrap is searched. */
  readonly directories: readonly string[];
  /** Absolute path of the packaged supervisor, if there is one for this platform. */
  readonly supervisor: string | undefined;
  /** The control groups of this process. Defaults to those that the kernel reports. */
  readonly controlGroups?: OwnGroups | undefined;
}

const FALLBACK_INSIDE = "/opt/skillwright/fallback";

/** Finds bubblewrap and tests it with a no-op command, so that a result is known to work. */
export async function findSandbox(
  root: RuntimeRoot,
  host: SandboxHost,
): Promise<{ sandbox: Sandbox } | { unavailable: Unavailable }> {
  const credentials = isRoot() ? UNPRIVILEGED : undefined;
  const place = { credentials, directory: root.own };
  const program = await findBubblewrap(host);
  if (typeof program !== "string") return program;
  const configuration = sandboxConfiguration(root.own);
  // Concurrently: most of the time is spent waiting for two programs that print their versions.
  const [found, supervisor, system, interpreters] = await Promise.all([
    versionOf(program),
    findSupervisor(host.supervisor, place),
    programMounts(),
    hostInterpreters(host).then((all) => interpreterMounts(all, place)),
  ]);
  if ("unavailable" in found) return found;
  if ("missing" in supervisor) return { unavailable: notSupervised(supervisor.missing) };
  for (const directory of credentials ? configuration.directories : []) {
    const blocked = credentials && unreachablePart(directory, credentials);
    if (blocked) return { unavailable: outOfReach(blocked, credentials.uid) };
  }
  const python = await pythonFallback(interpreters.path, root.own);
  const own = [...interpreters.mounts, ...(python ? [readOnly(python, FALLBACK_INSIDE)] : [])];
  const mounts = [...own, supervisorMount(supervisor.program)];
  const launcher: SandboxLauncher = {
    ...found,
    credentials,
    supervisor: supervisor.program,
    mounts: ({ network }) => [...system, ...configuration.mounts({ network }), ...mounts],
  };
  const tried = await trySandbox(launcher);
  if ("unavailable" in tried) return tried;
  const { path, programs } = interpreters;
  const diagnostics = [...interpreters.diagnostics, ...tried.diagnostics];
  const programDiagnostics = untilItWorks(() => tryPrograms(launcher, programs));
  const fallback = python && FALLBACK_INSIDE;
  return { sandbox: { ...launcher, path, pythonFallback: fallback, diagnostics, programDiagnostics } };
}

async function findBubblewrap({
  platform,
  directories,
}: SandboxHost): Promise<string | { unavailable: Unavailable }> {
  if (platform !== "linux") return { unavailable: notLinux(platform) };
  return (await findProgram("bwrap", directories)) ?? { unavailable: notInstalled(directories) };
}

async function versionOf(
  program: string,
): Promise<Pick<SandboxLauncher, "program" | "version"> | { unavailable: Unavailable }> {
  const answer = await runTool(program, ["--version"]);
  if (answer.exitCode !== 0) return { unavailable: refused(answer) };
  const version = bubblewrapVersion(answer.stdout);
  return version?.usable ? { program, version } : { unavailable: tooOld(answer.stdout) };
}
