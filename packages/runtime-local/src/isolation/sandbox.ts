import type { Diagnostic } from "@skillwright/core";
import { type Credentials, isRoot, UNPRIVILEGED } from "../host/credentials.js";
import { findProgram } from "../host/find-program.js";
import { inheritedDescriptors } from "../host/inherited-descriptors.js";
import { type HostPrograms, hostInterpreters } from "../host/interpreters.js";
import { unreachablePart } from "../host/reachable.js";
import { runTool } from "../host/run-tool.js";
import type { Controller } from "../limits/control-group-hierarchies.js";
import type { RuntimeRoot } from "../storage/runtime-root.js";
import { type BubblewrapVersion, bubblewrapVersion } from "./bubblewrap-version.js";
import { interpreterMounts } from "./interpreter-mounts.js";
import type { Mount } from "./mount.js";
import { ownConfiguration } from "./own-configuration.js";
import { configurationMounts, programMounts } from "./system-mounts.js";
import { trySandbox } from "./try-sandbox.js";
import { notInstalled, notLinux, outOfReach, refused, tooOld, type Unavailable } from "./unavailable.js";

/** What starting a process in the sandbox takes; the same for all runs of a runtime. */
export interface SandboxLauncher {
  /** Absolute path of bubblewrap. */
  readonly program: string;
  readonly version: BubblewrapVersion;
  /** Whom it runs as where this process is root. */
  readonly credentials: Credentials | undefined;
  readonly mounts: (options: { network: boolean }) => readonly Mount[];
}

export interface Sandbox extends SandboxLauncher {
  /** For the front of PATH inside. */
  readonly path: readonly string[];
  /** Descriptors of this process that must not get into a sandbox. */
  readonly inherited: readonly number[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface SandboxHost extends HostPrograms {
  readonly platform: string;
  /** Where bubblewrap is looked for. */
  readonly directories: readonly string[];
  /** Below which groups others can be made; this process's own by default. */
  readonly controlGroups?: ReadonlyMap<Controller, string> | undefined;
}

/** Finds bubblewrap and tries it with a command that does nothing; what is given here is known to work. */
export async function findSandbox(
  root: RuntimeRoot,
  host: SandboxHost,
): Promise<{ sandbox: Sandbox } | { unavailable: Unavailable }> {
  const found = await findLauncher(host);
  if ("unavailable" in found) return found;
  const credentials = isRoot() ? UNPRIVILEGED : undefined;
  const own = await ownConfiguration(root.own);
  const blocked = credentials && (await firstUnreachable(own, credentials));
  if (blocked) return { unavailable: outOfReach(blocked, credentials.uid) };
  const programs = await programMounts();
  const interpreters = await interpreterMounts(await hostInterpreters(host), {
    credentials,
    directory: root.own,
  });
  const launcher: SandboxLauncher = {
    ...found,
    credentials,
    mounts: ({ network }) => [
      ...programs,
      ...configurationMounts({ network }),
      ...own,
      ...interpreters.mounts,
    ],
  };
  const tried = await trySandbox(launcher, interpreters.programs);
  if ("unavailable" in tried) return tried;
  const diagnostics = [...interpreters.diagnostics, ...tried.diagnostics];
  const sandbox = { ...launcher, path: interpreters.path, inherited: inheritedDescriptors(), diagnostics };
  return { sandbox };
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
