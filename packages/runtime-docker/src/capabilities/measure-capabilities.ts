import { randomBytes } from "node:crypto";
import { type CallOptions, type Diagnostic, type RunLimits, SkillError } from "@skillwright/core";
import type { RuntimeCapabilities } from "@skillwright/core/adapter";
import { CONTAINER_LIMITS, type MadeLimits } from "../container/container-labels.js";
import type { ContainerWish } from "../container/container-options.js";
import { discardContainer } from "../container/remove-container.js";
import { PROBE_PREFIX } from "../container/sweep-containers.js";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { changeLimits } from "../exec/change-limits.js";
import { holdToRuns } from "../run/container-limits.js";
import { runScript } from "../stream/run-script.js";
import { MEASURING, type Measured, readMeasured } from "./measured.js";
import { weaknesses } from "./weaknesses.js";

export interface Findings {
  readonly capabilities: RuntimeCapabilities;
  /** The low-level runtime of the container in which it was measured. */
  readonly ociRuntime: string;
  /** Limits of the workspace that are not enforced. */
  readonly missing: readonly (keyof RunLimits)[];
}

const ALL_LIMITS = [...CONTAINER_LIMITS, "diskBytes", "inodes"] as const;

/**
 * Measures what is enforced in a new container, before any command ran in it, and tests whether its limits can be
 * tightened. The container is unchanged afterwards.
 * @throws SkillError `BACKEND_FAILED`, `ABORTED`.
 */
export async function measureIn(
  container: WorkspaceContainer,
  wish: ContainerWish,
  options: CallOptions = {},
): Promise<Findings> {
  const { limits } = container;
  const stricter = limits.processes - 1;
  const taken = await changeProcesses(container, stricter, options);
  const { stdout } = await runScript(
    container,
    { script: MEASURING, args: [container.programPath], as: "run" },
    options,
  );
  const measured = readMeasured(Buffer.from(stdout).toString("utf8"));
  if (taken) await holdToRuns(container);
  const changeable = taken && measured.limits.processes === stricter;
  return findings({ wish, container, measured, changeable });
}

/** Creates a container only for the measurement. @throws SkillError as creating a workspace does. */
export async function measureCapabilities(
  wish: ContainerWish,
  make: (workspaceId: string, options: CallOptions, wish: ContainerWish) => Promise<WorkspaceContainer>,
): Promise<Findings> {
  const container = await make(`${PROBE_PREFIX}${randomBytes(8).toString("hex")}`, {}, wish);
  try {
    return await measureIn(container, wish);
  } finally {
    await discardContainer(container);
  }
}

interface Seen {
  readonly wish: ContainerWish;
  readonly container: WorkspaceContainer;
  readonly measured: Measured;
  readonly changeable: boolean;
}

function findings({ wish, container, measured, changeable }: Seen): Findings {
  const { skillCopies } = container;
  const { product } = container.engine;
  // Engines round down; memory is rounded to whole pages.
  const isInForce = (limit: keyof RunLimits) =>
    (measured.limits[limit] ?? Number.POSITIVE_INFINITY) <= (container.limits[limit] ?? 0);
  const inForce = CONTAINER_LIMITS.filter(isInForce);
  const missing = ALL_LIMITS.filter((limit) => !isInForce(limit));
  const perRun: readonly (keyof MadeLimits)[] = ["memoryBytes", "cpu", "processes"];
  const limits = inForce.filter((limit) => changeable || !perRun.includes(limit));
  const { isGvisor } = measured;
  const by = [product, isGvisor && "gVisor", wish.ociRuntime].filter(Boolean).join(", ");
  const diagnostics: Diagnostic[] = weaknesses({ ...measured, missing, changeable, container, wish });
  const capabilities: RuntimeCapabilities = {
    isolation: { level: isGvisor ? "gvisor" : "container", by },
    limits,
    networkOff: measured.onlyLoopback,
    endsTree: measured.noCapabilities && measured.noNewPrivileges,
    readOnlySkills: !skillCopies && measured.skillsReadOnly && measured.uid === container.user.uid,
    ...(skillCopies && { skillCopies }),
    programs: measured.programs,
    diagnostics,
  };
  return { capabilities, ociRuntime: container.ociRuntime, missing };
}

async function changeProcesses(
  container: WorkspaceContainer,
  processes: number,
  options: CallOptions,
): Promise<boolean> {
  try {
    await changeLimits(container, { ...container.limits, processes }, options);
    return true;
  } catch (error) {
    if (SkillError.is(error, "ABORTED")) throw error;
    return false;
  }
}
