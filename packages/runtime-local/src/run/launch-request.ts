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
import { notIsolated } from "../isolation/not-isolated.js";
import { type LimitPlan, planLimits } from "../limits/plan-limits.js";
import { ownDirectory } from "../storage/own-directory.js";
import { placeIn } from "../workspace/place-in.js";
import { checkNetwork } from "./check-network.js";
import type { RunCopies } from "./run-copies.js";
import { checkLayout, checkSkills, ensureDirectory, workspaceMounts } from "./run-directories.js";
import type { RunMeans, RunPlace } from "./start-run.js";

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
  { root, paths, record: currentRecord }: RunPlace,
  command: RunCommand,
  { means, copies }: { means: RunMeans; copies: RunCopies | undefined },
): { request: LaunchRequest; diagnostics: readonly Diagnostic[] } {
  const { inForce, limits: limitMeans } = means;
  const record = currentRecord();
  const { sandbox, shell, path, pythonFallback } = inForce;
  const lastPath = pythonFallback === undefined ? [] : [pythonFallback];
  const owner = sandbox?.credentials;
  const tmp = sandbox ? "/tmp" : ownDirectory(paths.tmp);
  const language = process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8";
  const env = commandEnvironment(command, { root, tmp, path, lastPath, language });
  const limits = planLimits(command, limitMeans);
  const network = checkNetwork(command, sandbox !== undefined);
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
    mounts: workspaceMounts(root, paths, { record, copies, skillCopies: means.skillCopies }),
    limits,
  };
  const python = pythonFallback === undefined ? [] : pythonFallbackDiagnostics(command);
  const told = [...notIsolated(inForce), ...shell.diagnostics, ...limits.diagnostics, ...network];
  return { request, diagnostics: [...told, ...python] };
}
