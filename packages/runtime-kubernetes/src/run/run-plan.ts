import {
  type CallOptions,
  containedPath,
  type Diagnostic,
  type Isolation,
  type RunLimits,
  SkillError,
} from "@skillwright/core";
import {
  checkCommand,
  commandEnvironment,
  type RunCommand,
  type SecretMasking,
  secretMasking,
  WORKSPACE_LAYOUT,
} from "@skillwright/core/adapter";
import { timeLimit } from "@skillwright/supervisor";
import { FIRST } from "../pod/pod-manifest.js";
import { ROOT } from "../pod/pod-names.js";

/** The same for all workspaces of a runtime. */
export interface RunMeans {
  readonly isolation: Isolation;
  readonly networkOff: boolean;
  /** About the shell that runs all commands. */
  readonly ofShell: readonly Diagnostic[];
  readonly leaseMs: number;
  /** Fires when the runtime is closed. */
  readonly closed: AbortSignal;
}

export interface RunCall extends CallOptions {
  readonly means: RunMeans;
  /** Asked after a connection broke: what happened to the pod that ended all in it; `undefined` while it exists. */
  readonly fate: () => Promise<Diagnostic | undefined>;
}

/** A command that was checked, and what the supervisor is given for it. */
export interface RunPlan {
  readonly command: RunCommand;
  readonly masking: SecretMasking;
  readonly variables: Readonly<Record<string, string>>;
  /** Arguments of `supervisor run` about the program, and the program. */
  readonly options: readonly string[];
  /** The limits that are enforced for the run. */
  readonly limits: RunLimits;
  readonly program: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A place in the file system that all files of the workspace share. */
export const STORAGE = `${ROOT}/${WORKSPACE_LAYOUT.work}`;

/** Limits of each process, which hold whatever the node does. */
export const RUN_LIMITS = ["openFiles", "fileBytes"] as const;
const RESOURCES = { openFiles: "nofile", fileBytes: "fsize" } as const;

/** Processes that the system killed, in both versions of control groups. gVisor has neither, and ends the pod. */
const COUNTERS = [
  "memory=/sys/fs/cgroup/memory.events:oom_kill",
  "memory=/sys/fs/cgroup/memory/memory.oom_control:oom_kill",
];

const LIMITS = ["memoryBytes", "cpu", "processes", "openFiles", "fileBytes", "diskBytes", "inodes"] as const;

/** @throws SkillError as `RuntimeWorkspace.start` for a command that cannot run here. */
export function planRun(command: RunCommand, { networkOff, ofShell }: RunMeans): RunPlan {
  checkCommand(command);
  const cwd = command.cwd === "." ? ROOT : `${ROOT}/${containedPath(command.cwd)}`;
  const { limits, diagnostics } = planLimits(command);
  const network = checkNetwork(command, networkOff);
  const masking = secretMasking(command.env);
  const variables = commandEnvironment(command, { root: ROOT, tmp: "/tmp", path: [], language: "C.UTF-8" });
  const options = [
    ...["--first", FIRST, "--session", "--shell", "--time", `${timeLimit(command.timeoutMs)}`],
    ...RUN_LIMITS.flatMap((name) => (limits[name] ? ["--limit", `${RESOURCES[name]}=${limits[name]}`] : [])),
    ...["--filter", networkOff ? "offline" : "online", "--cwd", cwd, "--within", ROOT],
    ...["--make", `${ROOT}/${WORKSPACE_LAYOUT.runs}/${command.runId}`],
    ...["--space", STORAGE, "--space", "/tmp"],
    ...COUNTERS.flatMap((counter) => ["--count", counter]),
  ];
  return {
    ...{ command, masking, variables, options, limits },
    program: [command.command],
    diagnostics: [...ofShell, ...diagnostics, ...network, ...masking.diagnostics],
  };
}

function planLimits({ limits = {}, bestEffort }: RunCommand): {
  limits: RunLimits;
  diagnostics: readonly Diagnostic[];
} {
  const enforced: { openFiles?: number; fileBytes?: number } = {};
  const diagnostics: Diagnostic[] = [];
  for (const limit of LIMITS) {
    const value = limits[limit];
    if (value === undefined) continue;
    if (
      limit === "cpu" ? !(value > 0 && Number.isFinite(value)) : !(Number.isSafeInteger(value) && value > 0)
    )
      throw badLimit(limit, value);
    if (limit === "openFiles" || limit === "fileBytes") enforced[limit] = value;
    else if (bestEffort) diagnostics.push(notEnforced(limit, value));
    else throw unsupported(limit, value);
  }
  return { limits: enforced, diagnostics };
}

function checkNetwork({ network, bestEffort }: RunCommand, networkOff: boolean): readonly Diagnostic[] {
  if (networkOff && network) {
    if (!bestEffort)
      throw new SkillError(
        "UNSUPPORTED",
        "The command requested the network, but its pod has none. Use a runtime whose pods have one, or set bestEffort to run it without.",
      );
    return [
      {
        code: "network.none",
        severity: "warning",
        message: "The command requested the network, but its pod has none.",
        hint: "Use a runtime whose pods have a network.",
      },
    ];
  }
  if (networkOff || network === true) return [];
  if (network === false && !bestEffort)
    throw new SkillError(
      "UNSUPPORTED",
      "The network cannot be turned off: nobody enforces the NetworkPolicy of the pod, or it could not be measured. Use a cluster that enforces policies, or a RuntimeClass without a network, or set bestEffort to run the command anyway.",
    );
  return [
    {
      code: "network.open",
      severity: network === false ? "warning" : "info",
      message: "The command could use the network of its pod.",
      hint: "Use a cluster that enforces policies, or a RuntimeClass without a network.",
    },
  ];
}

const WHY = "a pod holds it for all its processes, and the options limits and storageBytes set it";

function badLimit(limit: keyof RunLimits, value: number): SkillError {
  return new SkillError(
    "INPUT_INVALID",
    `The limit ${limit} is ${value}; it must be a ${limit === "cpu" ? "number of cores" : "whole number"} above 0.`,
    { details: { limit, value } },
  );
}

function unsupported(limit: keyof RunLimits, value: number): SkillError {
  return new SkillError(
    "UNSUPPORTED",
    `The Kubernetes runtime cannot enforce the limit ${limit} of ${value} for a run: ${WHY}. It enforces ${RUN_LIMITS.join(" and ")}. Leave the limit out, or set bestEffort to run without it and get a diagnostic.`,
    { details: { limit, value, enforced: RUN_LIMITS } },
  );
}

function notEnforced(limit: keyof RunLimits, value: number): Diagnostic {
  return {
    code: "limit.not-enforced",
    severity: "warning",
    message: `The limit ${limit} of ${value} was not enforced for the run: ${WHY}.`,
    hint: "Use a runtime whose capabilities include this limit, or remove the limit.",
  };
}
