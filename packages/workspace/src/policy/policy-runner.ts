import { type Clock, type Diagnostic, forEachLimited, SkillError } from "@skillwright/core";
import { workspaceNotFound } from "../lifecycle/open-workspaces.js";
import { type ActionParts, applyAction, type PolicyOutcome } from "./apply-action.js";
import { holds, type Surroundings } from "./holds.js";
import { nextLookMs } from "./next-look.js";
import { type PolicyCandidate, policyCandidates } from "./policy-candidates.js";
import { policyFailed } from "./policy-diagnostics.js";
import { type PolicyWorkspace, policyWorkspace } from "./policy-workspace.js";
import { useMemory } from "./use-memory.js";
import { wakeTimer } from "./wake-timer.js";
import type { WorkspacePolicy } from "./workspace-policy.js";

/** At a time; more would only wait for the same disk. */
const AT_ONCE = 4;

/** Looks after workspaces until it is stopped. */
export interface PolicyRunner {
  /** Asks all policies about all workspaces once. What fails is told, and does not keep the others from their turn. */
  apply(): Promise<void>;
  /** Ends the timer and settles when actions in progress are over. */
  stop(): Promise<void>;
}

/**
 * Asks on a timer that wakes when the next policy can hold, for conditions that cannot be foreseen every `lookEveryMs`.
 * What could not be done is tried again at a later waking.
 */
export function policyRunner(
  parts: Omit<ActionParts, "show"> & {
    policies: readonly WorkspacePolicy[];
    clock: Clock;
    lookEveryMs: number;
    /** What was half destroyed, by a policy or a caller, and is tried again. */
    unfinished: ReadonlySet<string>;
    finish: (id: string) => Promise<boolean>;
  },
): PolicyRunner {
  const { policies, runtime, workspaces, tell, lookEveryMs } = parts;
  const candidates = policyCandidates(parts);
  const memory = useMemory();
  const told = new Set<string>();
  const timer = wakeTimer(() => void apply());
  let isStopped = false;
  let turn: Promise<void> = Promise.resolve();

  function apply(): Promise<void> {
    if (policies.length === 0) return turn;
    turn = turn
      .then(ask)
      .catch((error: unknown) => {
        tell(policyFailed(undefined, error));
        return [];
      })
      .then(sleep);
    return turn;
  }

  function sleep(left: readonly PolicyCandidate[]): void {
    const isDone = (policy: WorkspacePolicy, candidate: PolicyCandidate) =>
      memory.of(candidate).done.has(policy);
    timer.set(nextLookMs(policies, left, { isDone, lookEveryMs }));
  }

  /** Gives the workspaces that are left. */
  async function ask(): Promise<readonly PolicyCandidate[]> {
    await forEachLimited([...parts.unfinished], AT_ONCE, finish);
    const all = new Map((await candidates()).map((candidate) => [candidate.id, candidate]));
    memory.keep(new Set(all.keys()));
    const kept = new Set<string>();
    for (const policy of policies) {
      const open = [...all.values()].filter(({ id, isBusy }) => !isBusy && !kept.has(id));
      const surroundings = around(open, all.size);
      await forEachLimited(open, AT_ONCE, async (candidate) => {
        const outcome = await askOne(policy, candidate, surroundings);
        if (outcome === "destroyed") all.delete(candidate.id);
        if (outcome === "kept") kept.add(candidate.id);
      });
    }
    return [...all.values()].filter(({ id }) => !kept.has(id));
  }

  async function askOne(
    policy: WorkspacePolicy,
    candidate: PolicyCandidate,
    surroundings: Surroundings,
  ): Promise<PolicyOutcome | undefined> {
    const since = memory.of(candidate);
    if (isStopped || since.done.has(policy)) return undefined;
    try {
      if (!(await holds(policy.when, candidate, surroundings))) return undefined;
      const outcome = await applyAction(policy.do, candidate, { ...parts, tell: tellOnce, show });
      if (outcome === "done") since.done.add(policy);
      return outcome;
    } catch (error) {
      tell(policyFailed(candidate.id, error));
      return undefined;
    }
  }

  async function finish(id: string): Promise<void> {
    if (isStopped) return;
    await parts.finish(id).catch((error: unknown) => {
      if (!SkillError.is(error, "CONFLICT")) tell(policyFailed(id, error));
    });
  }

  /** @param open Those used least recently first. */
  function around(open: readonly PolicyCandidate[], count: number): Surroundings {
    return {
      tooMany: (limit) => new Set(open.slice(0, Math.max(count - limit, 0)).map(({ id }) => id)),
      bytes: async (candidate) => {
        const since = memory.of(candidate);
        since.bytes ??= await show(candidate).bytes();
        return since.bytes;
      },
      show,
    };
  }

  function show({ id, info, idleMs, ageMs }: PolicyCandidate): PolicyWorkspace {
    return policyWorkspace(info, { idleMs, ageMs }, async () => {
      const handle = workspaces.get(id)?.runtime ?? (await runtime.attach(id));
      if (!handle) throw workspaceNotFound(id);
      return handle;
    });
  }

  function tellOnce(diagnostic: Diagnostic): void {
    if (told.has(diagnostic.code)) return;
    told.add(diagnostic.code);
    tell(diagnostic);
  }

  sleep([]);
  return {
    apply,
    async stop() {
      isStopped = true;
      timer.stop();
      await turn;
    },
  };
}
