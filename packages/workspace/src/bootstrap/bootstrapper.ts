import {
  type CallOptions,
  type CatalogSkill,
  type Diagnostic,
  type RunEvent,
  type Skill,
  SkillError,
  type WorkspaceRuntime,
} from "@skillwright/core";
import type { Clock } from "../clock.js";
import type { OpenWorkspace } from "../lifecycle/open-workspace.js";
import type { RunRules } from "../run/run-rules.js";
import { skillEnvironment } from "../run/skill-environment.js";
import type { BootstrapCache } from "./bootstrap-cache.js";
import { type BootstrapMark, bootstrapMarks } from "./bootstrap-marks.js";
import type { BootstrapSkill, BootstrapStep, BootstrapSteps } from "./bootstrap-step.js";
import { bootstrapWorkspace } from "./bootstrap-workspace.js";
import { checkSteps } from "./check-steps.js";
import { planSteps } from "./plan-steps.js";

/** Prepares a workspace for a run whose skill is staged. Call it in the run's turn. */
export type Bootstrapper = (
  workspace: OpenWorkspace,
  skill: (Skill & CatalogSkill) | undefined,
  call: CallOptions & {
    readonly bestEffort: boolean | undefined;
    readonly emit: (event: RunEvent) => void;
    readonly tell: (diagnostic: Diagnostic) => void;
  },
) => Promise<void>;

/**
 * Returns `undefined` where nothing is declared.
 * @throws SkillError `CONFIG_INVALID` for a list with a step that can never be applied.
 */
export function bootstrapper(
  steps: BootstrapSteps | undefined,
  parts: {
    readonly cache: BootstrapCache | undefined;
    readonly runtime: WorkspaceRuntime;
    readonly clock: Clock;
    readonly rules: RunRules;
  },
): Bootstrapper | undefined {
  if (steps === undefined) return undefined;
  const { cache, runtime, clock, rules } = parts;
  if (typeof steps !== "function") checkSteps(steps, rules.allowNetwork);
  const remembered = new WeakMap<OpenWorkspace, Map<string, BootstrapMark>>();

  function memoryOf(workspace: OpenWorkspace): Map<string, BootstrapMark> {
    const memory = remembered.get(workspace) ?? new Map<string, BootstrapMark>();
    remembered.set(workspace, memory);
    return memory;
  }

  /** A result made under one isolation or on one processor type may not work on another. */
  async function surroundings(): Promise<string> {
    const { isolation } = await runtime.capabilities();
    return JSON.stringify([runtime.label, isolation.level, process.platform, process.arch]);
  }

  return async (workspace, skill, { signal, ...call }) => {
    const owner = typeof steps === "function" ? skill : undefined;
    const wanted = typeof steps === "function" ? await stepsOf(steps, skill, rules.allowNetwork) : steps;
    await bootstrapWorkspace(
      planSteps(wanted, owner),
      bootstrapMarks(workspace.runtime, memoryOf(workspace)),
      {
        ...call,
        workspace: workspace.runtime,
        cache,
        surroundings,
        // The run itself reports problems with them.
        variables: () => skillEnvironment(owner, rules.environment, {}, () => undefined),
        limits: rules.limits,
        now: clock.now,
        signal,
      },
    );
  };
}

async function stepsOf(
  steps: (skill: BootstrapSkill) => readonly BootstrapStep[] | Promise<readonly BootstrapStep[]>,
  skill: Skill | undefined,
  allowNetwork: boolean,
): Promise<readonly BootstrapStep[]> {
  if (!skill) return [];
  const { name, digest, frontmatter, manifest } = skill;
  const files = manifest.files.map(({ path }) => path);
  const wanted = await Promise.resolve({ name, digest, frontmatter, files })
    .then(steps)
    .catch((error: unknown) => {
      throw SkillError.from(error, `Asking the application for the bootstrap steps of "${name}"`);
    });
  checkSteps(wanted, allowNetwork);
  return wanted;
}
