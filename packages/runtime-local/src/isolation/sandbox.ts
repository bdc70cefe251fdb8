import type { Diagnostic } from "@skillwright/core";
import { type Credentials, isRoot, UNPRIVILEGED } from "../host/credentials.js";
import { findProgram } from "../host/find-program.js";
import { type HostPrograms, hostInterpreters } from "../host/interpreters.js";
import { pythonFallback } from "../host/python-fallback.js";
import { unreachablePart } from "../host/reachable.js";
import { runTool } from "../host/run-tool.js";
import type { Controller } from "../limits/control-group-hierarchies.js";
import type { RuntimeRoot } from "../storage/runtime-root.js";
import { type FoundSupervisor, findSupervisor } from "../supervisor/find-supervisor.js";
import { supervisorMount } from "../supervisor/inside-command.js";
import { noSupervisor } from "../supervisor/no-supervisor.js";
import { bubblewrapVersion } from "./bubblewrap-version.js";
import { type InterpreterMounts, interpreterMounts } from "./interpreter-mounts.js";
import { type Mount, readOnly } from "./mount.js";
import { ownConfiguration } from "./own-configuration.js";
import type { SandboxLauncher } from "./sandbox-launcher.js";
import { configurationMounts, programMounts } from "./system-mounts.js";
import { trySandbox } from "./try-sandbox.js";
import { notInstalled, notLinux, outOfReach, refused, tooOld, type Unavailable } from "./unavailable.js";

export interface Sandbox extends SandboxLauncher {
  /** Directories to put at the front of PATH inside. */
  readonly path: readonly string[];
  /** As `IsolationInForce` has it. */
  readonly pythonFallback: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface SandboxHost extends HostPrograms {
  readonly platform: string;
  /** Where bubblewrap is searched. */
  readonly directories: readonly string[];
  /** Absolute path of the packaged supervisor, if there is one for this platform. */
  readonly supervisor: string | undefined;
  /** Parent groups below which this process can create groups; defaults to its own. */
  readonly controlGroups?: ReadonlyMap<Controller, string> | undefined;
}

const FALLBACK_INSIDE = "/opt/skillwright/fallback";

/** Finds bubblewrap and tests it with a no-op command, so that a result is known to work. */
export async function findSandbox(
  root: RuntimeRoot,
  host: SandboxHost,
): Promise<{ sandbox: Sandbox } | { unavailable: Unavailable }> {
  const found = await findLauncher(host);
  if ("unavailable" in found) return found;
  const credentials = isRoot() ? UNPRIVILEGED : undefined;
  const place = { credentials, directory: root.own };
  const own = await ownConfiguration(root.own);
  const blocked = credentials && (await firstUnreachable(own, credentials));
  if (blocked) return { unavailable: outOfReach(blocked, credentials.uid) };
  const system = await programMounts();
  const interpreters = await interpreterMounts(await hostInterpreters(host), place);
  const python = await pythonFallback(interpreters.path, root.own);
  const mounts = [...own, ...interpreters.mounts, ...(python ? [readOnly(python, FALLBACK_INSIDE)] : [])];
  const bare: SandboxLauncher = {
    ...found,
    credentials,
    supervisor: undefined,
    prlimit: await findProgram("prlimit"),
    mounts: ({ network }) => [...system, ...configurationMounts({ network }), ...mounts],
  };
  const supervisor = await findSupervisor(host.supervisor, place);
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
  const tried = await trySandbox(launcher, programs);
  if ("unavailable" in tried) return tried;
  const missing = "missing" in found ? [noSupervisor(found.missing, { isolated: true })] : [];
  return {
    sandbox: { ...launcher, path, pythonFallback, diagnostics: [...told, ...tried.diagnostics, ...missing] },
  };
}

function withSupervisor(bare: SandboxLauncher, supervisor: string): SandboxLauncher {
  const mount = supervisorMount(supervisor);
  return { ...bare, supervisor, mounts: (options) => [...bare.mounts(options), mount] };
}

async function findLauncher({
  platform,
  directories,
}: SandboxHost): Promise<Pick<SandboxLauncher, "program" | "version"> | { unavailable: Unavailable }> {
  if (platform !== "linux") return { unavailable: notLinux(platform) };
  const program = await findProgram("bwrap", directories);
  if (!program) return { unavailable: notInstalled(directories) };
  const answer = await runTool(program, ["--version"]);
  if (answer.exitCode !== 0) return { unavailable: refused(answer) };
  const version = bubblewrapVersion(answer.stdout);
  return version?.usable ? { program, version } : { unavailable: tooOld(answer.stdout) };
}

async function firstUnreachable(mounts: readonly Mount[], user: Credentials): Promise<string | undefined> {
  for (const { source } of mounts) {
    const part = await unreachablePart(source, user);
    if (part) return part;
  }
  return undefined;
}
