import { createHash, randomUUID } from "node:crypto";
import { type CallOptions, type JsonObject, type SessionScope, SkillError } from "@skillwright/core";
import { changeValue, eitherSignal } from "@skillwright/core/adapter";
import type { RecordStore } from "../stored-records.js";
import type { SkillChange } from "./skill-proposal.js";
import { DECISIONS } from "./stored-proposals.js";

/** A killed process holds a skill for so long. */
const HELD_MS = 60_000;

type DecidedSkill = Pick<SkillChange, "repository" | "name">;

/** Runs one decision about a skill at a time, over all processes that share the store. */
export type OneDecision = <T>(
  skill: DecidedSkill,
  options: CallOptions,
  decide: (options: CallOptions) => Promise<T>,
) => Promise<T>;

/**
 * Marks the skill in one record of the store for the time of the decision, at most a minute; the decision is aborted
 * then. A second decision fails with `CONFLICT` instead of waiting.
 */
export function oneDecision(store: RecordStore, owner: Pick<SessionScope, "app" | "user">): OneDecision {
  const scope: SessionScope = { ...owner, session: DECISIONS };

  return async (skill, { signal }, decide) => {
    const key = createHash("sha256")
      .update(JSON.stringify([skill.repository, skill.name]))
      .digest("hex");
    const by = randomUUID();
    const mark = (
      next: (held: JsonObject | undefined) => JsonObject | null | undefined,
      options: CallOptions,
    ) => changeValue(store, scope, key, next, options);
    await mark(
      (held) => {
        if (held && Number(held["until"]) > Date.now()) throw undecided(skill);
        return { by, until: Date.now() + HELD_MS };
      },
      { signal },
    );
    try {
      return await decide({ signal: eitherSignal(signal, AbortSignal.timeout(HELD_MS)) });
    } finally {
      // A mark that stays ends by itself.
      await mark((held) => (held?.["by"] === by ? null : undefined), {}).catch(() => undefined);
    }
  };
}

function undecided({ name, repository }: DecidedSkill): SkillError {
  return new SkillError(
    "CONFLICT",
    `Another decision about the skill "${name}" in "${repository}" is under way. List the proposals again.`,
  );
}
