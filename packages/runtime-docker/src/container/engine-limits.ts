import { type CallOptions, type RunLimits, SkillError } from "@skillwright/core";
import type { EngineClient } from "../engine/engine-client.js";
import { statusOf } from "../engine/engine-error.js";
import { CHANGEABLE_LIMITS, type ChangeableLimits } from "../exec/change-limits.js";
import type { MadeLimits } from "./container-labels.js";
import type { ContainerWish } from "./container-options.js";

type GroupLimit = keyof ChangeableLimits;

/** The limits for containers on one engine. */
export interface ChosenLimits {
  readonly limits: MadeLimits;
  /** Default limits that the engine does not support and is not asked for. */
  readonly without: readonly GroupLimit[];
}

export interface EngineLimits {
  /**
   * Returns the limits for a new container. The engine is asked about its machine once.
   * @throws SkillError `UNSUPPORTED` for an option that the engine cannot enforce, `BACKEND_FAILED`, `ABORTED`.
   */
  choose(engine: EngineClient, wish: ContainerWish, options?: CallOptions): Promise<ChosenLimits>;
  /**
   * Records which limits an engine says that it does not support, when it refused to create a container. Returns true where
   * the container should be created again without these defaults.
   * @throws SkillError `UNSUPPORTED` where the engine refused a limit that the caller set.
   */
  learn(error: unknown, engine: EngineClient, wish: ContainerWish): boolean;
}

const GIBIBYTE = 1024 ** 3;
/** Maximum number of files and directories in `memory` storage. */
const INODES = 100_000;
const OPTION_OF: Partial<Record<keyof RunLimits, string>> = { diskBytes: "storageBytes" };

/** Chooses and remembers limits for one runtime. */
export function engineLimits(): EngineLimits {
  const missing = new Set<GroupLimit>();
  let memory: number | undefined;

  async function look(engine: EngineClient, options?: CallOptions): Promise<number> {
    const ask = () => engine.docker.info() as Promise<EngineInfo>;
    const info = await engine.call("Asking the engine about its machine", ask, options);
    if (info.MemoryLimit === false) missing.add("memoryBytes");
    if (info.CpuCfsQuota === false) missing.add("cpu");
    if (info.PidsLimit === false) missing.add("processes");
    return info.MemTotal ?? 0;
  }

  return {
    choose: async (engine, wish, options) => {
      memory ??= await look(engine, options);
      checkHeld(missing, engine, wish);
      return { limits: limitsOn(memory, engine, wish), without: [...missing] };
    },
    learn: (error, engine, wish) => {
      const before = missing.size;
      for (const limit of refusedIn(error)) missing.add(limit);
      checkHeld(missing, engine, wish, error);
      return missing.size > before;
    },
  };
}

/** @throws SkillError `UNSUPPORTED` where the caller set one of the missing limits. */
export function checkHeld(
  missing: Iterable<keyof RunLimits>,
  { host }: Pick<EngineClient, "host">,
  { asked }: ContainerWish,
  cause?: unknown,
): void {
  const options = [...missing]
    .filter((limit) => asked.includes(limit))
    .map((limit) => OPTION_OF[limit] ?? limit);
  if (options.length === 0) return;
  throw new SkillError(
    "UNSUPPORTED",
    `The engine at ${host} cannot enforce the limits ${options.join(" and ")} that the options of the Docker runtime set. ` +
      "Leave these options out to run without the limits, or use an engine that can set control groups (cgroups) and mount storage in memory.",
    { cause, details: { options } },
  );
}

function limitsOn(machine: number, { host }: EngineClient, wish: ContainerWish): MadeLimits {
  const { cpu, processes, openFiles, fileBytes, storage } = wish;
  const memoryBytes = wish.memoryBytes ?? Math.floor(machine / 2);
  if (!(memoryBytes > 0)) throw untold(host);
  const limits = { memoryBytes, cpu, processes, openFiles, fileBytes };
  if (storage === "disk") return limits;
  // Files count towards the workspace's memory, and commands need memory besides them.
  const diskBytes = wish.storageBytes ?? Math.min(2 * GIBIBYTE, Math.floor(memoryBytes / 2));
  return { ...limits, diskBytes, inodes: INODES };
}

/**
 * Engines pass on the low-level runtime's message about a controller that was not delegated, or about missing cgroups. Any
 * other error of a cgroup, such as a lack of memory for a new one, says nothing about the next container.
 */
function refusedIn(error: unknown): readonly GroupLimit[] {
  if (statusOf(error) === undefined) return [];
  const text = String(error);
  if (!/cgroup|controller|resource limits|CFS scheduler/i.test(text) || !UNSUPPORTED.test(text)) return [];
  const named = CHANGEABLE_LIMITS.filter((limit) => CONTROLLERS[limit].test(text));
  return named.length > 0 ? named : CHANGEABLE_LIMITS;
}

const UNSUPPORTED =
  /not available|not delegated|not mounted|not supported|does not support|no cgroup mount|could not join or create cgroup/i;

const CONTROLLERS: Record<GroupLimit, RegExp> = {
  memoryBytes: /\bmemory\b/i,
  cpu: /\bcpu\b|NanoCPUs/i,
  processes: /\bpids\b/i,
};

function untold(host: string): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `The engine at ${host} does not report the memory of its machine, from which the default memory limit is computed. Set memoryBytes.`,
    { details: { host } },
  );
}

interface EngineInfo {
  readonly MemTotal?: number;
  readonly MemoryLimit?: boolean;
  readonly CpuCfsQuota?: boolean;
  readonly PidsLimit?: boolean;
}
