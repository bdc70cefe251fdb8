import { setTimeout as wait } from "node:timers/promises";
import { type Diagnostic, type RuntimeWorkspace, SkillError } from "@skillwright/core";
import { checkAborted, forEachLimited } from "@skillwright/core/adapter";
import type { Clock } from "../clock.js";
import { workspaceNotFound } from "../lifecycle/open-workspaces.js";
import { type ActionParts, applyAction, type PolicyOutcome } from "./apply-action.js";
import { holds } from "./holds.js";
import { nextLookMs } from "./next-look.js";
import type { Operation, OperationBounds } from "./operation-bounds.js";
import { type PolicyCandidate, policyCandidates } from "./policy-candidates.js";
import { policyFailed } from "./policy-diagnostics.js";
import { type PolicyWorkspace, policyWorkspace } from "./policy-workspace.js";
import { useMemory } from "./use-memory.js";
import { wakeTimer } from "./wake-timer.js";
import type { WorkspacePolicy } from "./workspace-policy.js";

/** Maximum number of concurrent operations; more would compete for the same disk. */
const AT_ONCE = 4;
/** An operation that takes longer frees its slot for the next one and continues. */
const PLACE_MS = 1000;

/** Applies policies to workspaces until it is stopped. */
export interface PolicyRunner {
  /**
   * Applies all policies to all workspaces once. Failures are reported, and long operations continue after this
   * settles; neither delays the others.
   */
  apply(): Promise<void>;
  /** Settles when the operations in progress have ended or timed out. */
  idle(): Promise<void>;
  /** Stops the timer and settles when the operations in progress have ended, at most some seconds later. */
  stop(): Promise<void>;
}

/**
 * Applies policies on a timer that fires when the next policy can apply, and every `lookEveryMs` for conditions that
 * cannot be predicted. What could not be done is retried later.
 */
export function policyRunner(
  parts: Omit<ActionParts, "operation" | "show"> & {
    policies: readonly WorkspacePolicy[];
    clock: Clock;
    lookEveryMs: number;
    bounds: OperationBounds;
    /** Partly destroyed workspaces, by a policy or a caller; their destruction is retried. */
    unfinished: ReadonlySet<string>;
    finish: (id: string) => Promise<boolean>;
  },
): PolicyRunner {
  const { policies, runtime, workspaces, tell, lookEveryMs, bounds } = parts;
  const candidates = policyCandidates(parts);
  const memory = useMemory();
  const told = new Set<string>();
  /** Operations in progress by workspace id. */
  const underway = new Map<string, Promise<unknown>>();
  /** Operations that were given up but have not settled are not started again. */
  const hanging = policies.map(() => new Set<string>());
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

  /** Returns the workspaces that are left. */
  async function ask(): Promise<readonly PolicyCandidate[]> {
    await forEachLimited([...parts.unfinished], AT_ONCE, finish);
    const all = new Map((await candidates()).map((candidate) => [candidate.id, candidate]));
    memory.keep(new Set(all.keys()));
    const kept = new Set<string>();
    for (const [index, policy] of policies.entries()) {
      const open = [...all.values()].filter(
        ({ id, isBusy }) => !isBusy && !kept.has(id) && !underway.has(id) && !hanging[index]?.has(id),
      );
      const tooMany = (limit: number) =>
        new Set(open.slice(0, Math.max(all.size - limit, 0)).map(({ id }) => id));
      await forEachLimited(open, AT_ONCE, async (candidate) => {
        const outcome = await aWhile(askOne(index, policy, { candidate, tooMany }));
        if (outcome === "destroyed") all.delete(candidate.id);
        if (outcome === "kept") kept.add(candidate.id);
      });
    }
    return [...all.values()].filter(({ id }) => !kept.has(id));
  }

  async function askOne(
    index: number,
    policy: WorkspacePolicy,
    asked: { candidate: PolicyCandidate; tooMany: (limit: number) => ReadonlySet<string> },
  ): Promise<PolicyOutcome | undefined> {
    const { candidate } = asked;
    const { id } = candidate;
    if (isStopped || memory.of(candidate).done.has(policy)) return undefined;
    const { outcome, left } = bounds.begin((operation) => operate(policy, asked, operation));
    const asking = outcome.catch((error: unknown) => {
      tell(policyFailed(id, error));
      hanging[index]?.add(id);
      void left.then(() => hanging[index]?.delete(id));
      return undefined;
    });
    underway.set(id, asking);
    return await asking.finally(() => underway.delete(id));
  }

  async function operate(
    policy: WorkspacePolicy,
    { candidate, tooMany }: { candidate: PolicyCandidate; tooMany: (limit: number) => ReadonlySet<string> },
    operation: Operation,
  ): Promise<PolicyOutcome | undefined> {
    const since = memory.of(candidate);
    const show = (shown: PolicyCandidate) => view(shown, operation);
    const bytes = async () => (since.bytes ??= await show(candidate).bytes());
    if (!(await operation.until(holds(policy.when, candidate, { tooMany, bytes, show })))) return undefined;
    const outcome = await applyAction(policy.do, candidate, { ...parts, tell: tellOnce, show, operation });
    if (outcome === "done") since.done.add(policy);
    return outcome;
  }

  async function finish(id: string): Promise<void> {
    if (isStopped) return;
    const { outcome } = bounds.begin(() => parts.finish(id));
    const asking = outcome.catch((error: unknown) => {
      if (!SkillError.is(error, "CONFLICT")) tell(policyFailed(id, error));
    });
    await aWhile(asking);
  }

  function view({ id, info, idleMs, ageMs }: PolicyCandidate, { signal }: Operation): PolicyWorkspace {
    async function handle(): Promise<RuntimeWorkspace> {
      checkAborted(signal);
      const found = workspaces.get(id)?.runtime ?? (await runtime.attach(id, { signal }));
      if (!found) throw workspaceNotFound(id);
      return found;
    }
    return policyWorkspace(info, { idleMs, ageMs }, { signal, limits: bounds, runtime: handle });
  }

  function tellOnce(diagnostic: Diagnostic): void {
    if (told.has(diagnostic.code)) return;
    told.add(diagnostic.code);
    tell(diagnostic);
  }

  async function idle(): Promise<void> {
    await Promise.all(underway.values());
  }

  sleep([]);
  return {
    apply,
    idle,
    async stop() {
      isStopped = true;
      timer.stop();
      await turn;
      await idle();
    },
  };
}

/** Returns the outcome, or nothing where it takes too long. */
async function aWhile<T>(outcome: Promise<T>): Promise<T | undefined> {
  const over = new AbortController();
  // The signal ends the pause.
  const enough = wait(PLACE_MS, undefined, { ref: false, signal: over.signal }).catch(() => undefined);
  try {
    return await Promise.race([outcome, enough]);
  } finally {
    over.abort();
  }
}
