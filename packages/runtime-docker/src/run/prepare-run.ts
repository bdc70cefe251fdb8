import { containedPath, type Diagnostic } from "@skillwright/core";
import {
  checkCommand,
  pythonFallbackDiagnostics,
  type RunCommand,
  type SecretMasking,
  secretMasking,
  WORKSPACE_LAYOUT,
} from "@skillwright/core/adapter";
import { timeLimit } from "@skillwright/supervisor";
import { FALLBACK, ROOT, type WorkspaceContainer } from "../container/workspace-container.js";
import { shellArguments } from "../stream/run-script.js";
import { checkNetwork } from "./check-network.js";
import { type LimitPlan, planLimits } from "./plan-limits.js";
import { noBash } from "./run-diagnostics.js";
import { runEnvironment } from "./run-environment.js";
import type { RunMeans } from "./start-run.js";

/** A command that is valid, as the supervisor needs it. */
export interface PreparedRun {
  /** Absolute paths in the container. */
  readonly cwd: string;
  readonly runDirectory: string;
  readonly limits: LimitPlan;
  readonly masking: SecretMasking;
  readonly environment: Readonly<Record<string, string>>;
  /** Options of `run`, and the program. */
  readonly words: readonly string[];
  /** Known before the start. */
  readonly diagnostics: readonly Diagnostic[];
}

/** @throws SkillError as `RuntimeWorkspace.start` for a command that it refuses. */
export function prepareRun(
  container: WorkspaceContainer,
  command: RunCommand,
  { enforced, programs }: Pick<RunMeans, "enforced" | "programs">,
): PreparedRun {
  checkCommand(command);
  const cwd = command.cwd === "." ? ROOT : `${ROOT}/${containedPath(command.cwd)}`;
  const runDirectory = runDirectoryOf(command.runId);
  const limits = planLimits(command, enforced);
  const network = checkNetwork(command, container.hasNetwork);
  const masking = secretMasking(command.env);
  const isPython3 = programs.includes("python3") && !programs.includes("python");
  const place = { programPath: container.programPath, lastPath: isPython3 ? [FALLBACK] : [] };
  const environment = runEnvironment(command, place);
  const python = isPython3 ? pythonFallbackDiagnostics(command) : [];
  const shell = container.isBash ? [] : [noBash()];
  return {
    cwd,
    runDirectory,
    limits,
    masking,
    environment,
    words: wordsOf(container, command, { cwd, runDirectory, limits }),
    diagnostics: [...shell, ...limits.diagnostics, ...network, ...masking.diagnostics, ...python],
  };
}

/** Absolute path in the container. */
export function runDirectoryOf(runId: string): string {
  return `${ROOT}/${WORKSPACE_LAYOUT.runs}/${runId}`;
}

const COUNTERS = [
  "memoryBytes=/sys/fs/cgroup/memory.events:oom_kill",
  "memoryBytes=/sys/fs/cgroup/memory/memory.oom_control:oom_kill",
  "processes=/sys/fs/cgroup/pids.events:max",
  "processes=/sys/fs/cgroup/pids/pids.events:max",
];
const SPACES = [ROOT, "/tmp", "/dev/shm"];

function wordsOf(
  { user, filter, shell, isBash }: WorkspaceContainer,
  { command, timeoutMs }: RunCommand,
  { cwd, runDirectory, limits }: Pick<PreparedRun, "cwd" | "runDirectory" | "limits">,
): readonly string[] {
  const { openFiles, fileBytes } = limits;
  const limit = (name: string, value: number | undefined) =>
    value === undefined ? [] : ["--limit", `${name}=${value}`];
  return [
    ...["--user", `${user.uid}`, "--group", `${user.gid}`, "--session", "--filter", filter],
    ...["--within", ROOT, "--cwd", cwd, "--make", runDirectory, "--time", `${timeLimit(timeoutMs)}`],
    ...[...limit("nofile", openFiles), ...limit("fsize", fileBytes)],
    ...COUNTERS.flatMap((counter) => ["--count", counter]),
    ...SPACES.flatMap((place) => ["--space", place]),
    ...["--", shell, ...shellArguments({ isBash }), "-c", command],
  ];
}
