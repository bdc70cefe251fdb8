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
import { type FoundSupervisor, findSupervisor } from "../supervisor/find-supervisor.js";
import { supervisorMount } from "../supervisor/inside-command.js";
import { noSupervisor } from "../supervisor/no-supervisor.js";
import { bubblewrapVersion } from "./bubblewrap-version.js";
import { sandboxConfiguration } from "./configuration.js";
import { type InterpreterMounts, interpreterMounts } from "./interpreter-mounts.js";
import { readOnly } from "./mount.js";
import type { SandboxLauncher } from "./sandbox-launcher.js";
import { programMounts } from "./system-mounts.js";
import { tryPrograms } from "./try-programs.js";
import { trySandbox } from "./try-sandbox.js";
import { notInstalled, notLinux, outOfReach, refused, tooOld, type Unavailable } from "./unavailable.js";

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
  /** The control groups of this process; defaults to those that the kernel tells. */
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
  const [found, supervisor, system, interpreters, prlimit] = await Promise.all([
    versionOf(program),
    findSupervisor(host.supervisor, place),
    programMounts(),
    hostInterpreters(host).then((all) => interpreterMounts(all, place)),
    findProgram("prlimit"),
  ]);
  if ("unavailable" in found) return found;
  for (const directory of credentials ? configuration.directories : []) {
    const blocked = credentials && unreachablePart(directory, credentials);
    if (blocked) return { unavailable: outOfReach(blocked, credentials.uid) };
  }
  const python = await pythonFallback(interpreters.path, root.own);
  const mounts = [...interpreters.mounts, ...(python ? [readOnly(python, FALLBACK_INSIDE)] : [])];
  const bare: SandboxLauncher = {
    ...found,
    credentials,
    supervisor: undefined,
    prlimit,
    mounts: ({ network }) => [...system, ...configuration.mounts({ network }), ...mounts],
  };
  const programs = { ...interpreters, pythonFallback: python && FALLBACK_INSIDE };
  const tried = await trySupervised(bare, supervisor, programs);
  if ("sandbox" in tried || "missing" in supervisor || tried.unavailable.transient) return tried;
  // A second test without the supervisor shows whether it was the cause, for example because the kernel lacks its
  // filter.
  const missing = `it does not work in a sandbox here (${tried.unavailable.why})`;
  const alone = await trySupervised(bare, { missing }, programs);
  return "sandbox" in alone ? alone : tried;
}

type FoundPrograms = InterpreterMounts & Pick<Sandbox, "pythonFallback">;

async function trySupervised(
  bare: SandboxLauncher,
  found: FoundSupervisor,
  { path, programs, pythonFallback, diagnostics: told }: FoundPrograms,
): Promise<{ sandbox: Sandbox } | { unavailable: Unavailable }> {
  const launcher = "program" in found ? withSupervisor(bare, found.program) : bare;
  const tried = await trySandbox(launcher);
  if ("unavailable" in tried) return tried;
  const missing = "missing" in found ? [noSupervisor(found.missing, { isolated: true })] : [];
  const diagnostics = [...told, ...tried.diagnostics, ...missing];
  const programDiagnostics = untilItWorks(() => tryPrograms(launcher, programs));
  return { sandbox: { ...launcher, path, pythonFallback, diagnostics, programDiagnostics } };
}

function withSupervisor(bare: SandboxLauncher, supervisor: string): SandboxLauncher {
  const mount = supervisorMount(supervisor);
  return { ...bare, supervisor, mounts: (options) => [...bare.mounts(options), mount] };
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
