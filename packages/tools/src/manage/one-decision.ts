import { randomUUID } from "node:crypto";
import { type CallOptions, type RecordStore, type SessionScope, SkillError } from "@skillwright/core";
import { eitherSignal } from "@skillwright/core/adapter";
import { recordValues } from "@skillwright/records";
import { hash } from "../approvals/lasting-approvals.js";
import type { SkillChange } from "./skill-proposal.js";

/** A killed process holds a skill for so long. */
const HELD_MS = 60_000;

type DecidedSkill = Pick<SkillChange, "repository" | "name">;

/** Runs one decision about a skill at a time, over all processes that share the store. */
export type OneDecision = <T>(
  skill: DecidedSkill,
  options: CallOptions,
  decide: (options: CallOptions) => Promise<T>,
) => Promise<T>;

interface Mark {
  readonly by: string;
  /** By the clock of the store. */
  readonly untilMs: number;
}

/**
 * Marks the skill in the store for the time of the decision, at most a minute; the decision is aborted then. A second decision fails
 * with `CONFLICT` instead of waiting.
 */
export function oneDecision(
  records: RecordStore,
  { app, user }: Pick<SessionScope, "app" | "user">,
): OneDecision {
  const marks = recordValues<Mark>(records, "mark of a decision");

  return async (skill, { signal }, decide) => {
    const { repository, name } = skill;
    const key = ["decision", app, user, hash([repository, name])];
    const by = randomUUID();
    const mark = (held: Mark | undefined, nowMs: number) => {
      if (held && held.untilMs > nowMs) throw undecided(skill);
      return { by, untilMs: nowMs + HELD_MS };
    };
    await marks.change(key, mark, { signal });
    try {
      return await decide({ signal: eitherSignal(signal, AbortSignal.timeout(HELD_MS)) });
    } finally {
      // A mark that stays ends by itself.
      await marks.change(key, (held) => (held?.by === by ? null : undefined)).catch(() => undefined);
    }
  };
}

function undecided({ name, repository }: DecidedSkill): SkillError {
  return new SkillError(
    "CONFLICT",
    `Another decision about the skill "${name}" in "${repository}" is under way. List the proposals again.`,
  );
}
