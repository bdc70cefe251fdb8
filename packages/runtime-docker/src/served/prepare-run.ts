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
import { randomGroup } from "../exec/random-group.js";
import { shellArguments } from "../exec/shell-arguments.js";
import { checkNetwork } from "../run/check-network.js";
import { type LimitPlan, planLimits } from "../run/plan-limits.js";
import { noBash } from "../run/run-diagnostics.js";
import { runEnvironment } from "../run/run-environment.js";
import type { RunNote } from "../run/run-note.js";
import type { RunMeans } from "../run/start-run.js";

/** A command that is valid, as the supervisor needs it. */
export interface PreparedRun {
  /** Absolute paths in the container. */
  readonly cwd: string;
  readonly runDirectory: string;
  readonly limits: LimitPlan;
  readonly masking: SecretMasking;
  readonly environment: Readonly<Record<string, string>>;
  readonly group: number;
  /** Options of `run`, and the program. */
  readonly words: readonly string[];
  /** What other hosts must know of it. */
  readonly note: RunNote;
  /** Known before the start. */
  readonly diagnostics: readonly Diagnostic[];
}

/** @throws SkillError as `RuntimeWorkspace.start` for a command that it refuses. */
export function prepareRun(
  container: WorkspaceContainer,
  command: RunCommand,
  { enforced, programs }: Pick<RunMeans, "enforced" | "programs">,
): PreparedRun {
  checkCommand(command, { keyed: command.key !== undefined });
  const cwd = command.cwd === "." ? ROOT : `${ROOT}/${containedPath(command.cwd)}`;
  const runDirectory = `${ROOT}/${WORKSPACE_LAYOUT.runs}/${command.runId}`;
  const limits = planLimits(command, enforced);
  const network = checkNetwork(command, container.hasNetwork);
  const masking = secretMasking(command.env);
  const isPython3 = programs.includes("python3") && !programs.includes("python");
  const place = { programPath: container.programPath, lastPath: isPython3 ? [FALLBACK] : [] };
  const { variables: environment } = runEnvironment(command, place, []);
  const python = isPython3 ? pythonFallbackDiagnostics(command) : [];
  const shell = container.isBash ? [] : [noBash()];
  const group = randomGroup();
  return {
    cwd,
    runDirectory,
    limits,
    masking,
    environment,
    group,
    words: wordsOf(container, command, { cwd, runDirectory, limits, group }),
    note: { group, limits: limits.container },
    diagnostics: [...shell, ...limits.diagnostics, ...network, ...masking.diagnostics, ...python],
  };
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
  { cwd, runDirectory, limits, group }: Pick<PreparedRun, "cwd" | "runDirectory" | "limits" | "group">,
): readonly string[] {
  const { openFiles, fileBytes } = limits;
  const limit = (name: string, value: number | undefined) =>
    value === undefined ? [] : ["--limit", `${name}=${value}`];
  return [
    ...["--user", `${user.uid}`, "--group", `${group}`, "--session", "--filter", filter ?? "offline"],
    ...["--within", ROOT, "--cwd", cwd, "--make", runDirectory, "--time", `${timeLimit(timeoutMs)}`],
    ...[...limit("nofile", openFiles), ...limit("fsize", fileBytes)],
    ...COUNTERS.flatMap((counter) => ["--count", counter]),
    ...SPACES.flatMap((place) => ["--space", place]),
    ...["--", shell, ...shellArguments({ isBash }), "-c", command],
  ];
}
