import { join } from "node:path";
import type { Diagnostic } from "@skillwright/core";
import {
  commandEnvironment,
  pythonFallbackDiagnostics,
  type RunCommand,
  WORKSPACE_LAYOUT,
} from "@skillwright/core/adapter";
import { hostPath, resolveDirectory } from "../files/resolve-directory.js";
import type { Mount } from "../isolation/mount.js";
import { type LimitPlan, planLimits } from "../limits/plan-limits.js";
import { ownDirectory } from "../storage/own-directory.js";
import type { LocalWorkspaceRecord } from "../storage/workspace-record.js";
import { placeIn } from "../workspace/place-in.js";
import { checkNetwork } from "./check-network.js";
import type { RunCopies } from "./run-copies.js";
import { checkLayout, checkSkills, ensureDirectory, skillMounts } from "./run-directories.js";
import type { RunMeans, RunPlace } from "./run-means.js";

/** A fully specified command. */
export interface LaunchRequest {
  /** The shell with its arguments; the command's text is last. */
  readonly argv: readonly [program: string, ...rest: string[]];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path, as the command sees it. */
  readonly cwd: string;
  /** False for an empty input. */
  readonly input: boolean;
  readonly network: boolean;
  readonly timeoutMs: number;
  /** The mounts of a sandbox in addition to those of the system. */
  readonly mounts: readonly Mount[];
  readonly limits: LimitPlan;
}

/** Checks the command against the workspace and specifies it fully. */
export function launchRequest(
  { root, paths, mounts }: RunPlace,
  command: RunCommand,
  { means, record, copies }: { means: RunMeans; record: LocalWorkspaceRecord; copies: RunCopies | undefined },
): { request: LaunchRequest; diagnostics: readonly Diagnostic[] } {
  const { sandbox, shell, path, pythonFallback } = means.inForce;
  const lastPath = pythonFallback === undefined ? [] : [pythonFallback];
  const owner = sandbox?.credentials;
  const tmp = sandbox ? "/tmp" : ownDirectory(paths.tmp);
  const language = process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8";
  const env = commandEnvironment(command, { root, tmp, path, lastPath, language });
  const limits = command.limits ? planLimits(command, means.limits) : means.defaultPlan();
  const network = sandbox ? [] : checkNetwork(command);
  checkLayout(paths, owner);
  if (sandbox) checkSkills(paths, record);
  const directory = resolveDirectory(command.cwd, { root, locate: (parts) => placeIn(paths, record, parts) });
  const runDirectory = `${WORKSPACE_LAYOUT.runs}/${command.runId}`;
  ensureDirectory(join(paths.tree, runDirectory), runDirectory, owner);
  const request: LaunchRequest = {
    argv: [shell.program, ...shell.arguments, command.command],
    env,
    cwd: sandbox ? join(root, command.cwd) : hostPath(directory),
    input: command.interactive === true || command.stdin !== undefined,
    network: command.network === true,
    timeoutMs: command.timeoutMs,
    mounts: [...mounts, ...skillMounts(root, paths, { record, copies, skillCopies: means.skillCopies })],
    limits,
  };
  const python = pythonFallback === undefined ? [] : pythonFallbackDiagnostics(command);
  return { request, diagnostics: [...means.told, ...limits.diagnostics, ...network, ...python] };
}
