import { type SessionState, SkillError, type StateDelta } from "@skillwright/core";

const TURNS_KEY = "agent:profile-turns";

export interface ProfileInjectionInput {
  /** The current profile. */
  readonly text: string;
  readonly state: SessionState;
  /** True before the first message of a conversation, and after a reset or compaction. */
  readonly isEmpty: boolean;
  /** Number of user turns after which the profile is injected again; 0 for never. Defaults to 100. */
  readonly every?: number | undefined;
}

export interface ProfileInjection {
  /** To be added to the history as a system message, before the user's; missing where none is due. */
  readonly message?: string;
  /** Counts the turn. Apply it whether or not a message is due. */
  readonly delta: StateDelta;
}

/**
 * Call it when a user's turn starts: tells whether the agent's profile is due, and counts the turns. The profile is
 * injected at the start of a conversation, and again, with its current text, after that many user turns. A blank
 * profile counts as none.
 *
 * @throws SkillError `CONFIG_INVALID` where `every` is not a whole number from 0.
 */
export function profileInjection(input: ProfileInjectionInput): ProfileInjection {
  const { text, state, isEmpty, every = 100 } = input;
  if (!Number.isInteger(every) || every < 0)
    throw new SkillError(
      "CONFIG_INVALID",
      `The profile is to be injected again every ${every} turns; give a whole number from 0 (never).`,
      { details: { field: "every" } },
    );
  const turns = isEmpty ? 0 : turnsIn(state);
  const isDue = isEmpty || (every > 0 && turns >= every);
  const message = isDue && text.trim() !== "" ? { message: text.trim() } : {};
  return { ...message, delta: { [TURNS_KEY]: isDue ? 1 : turns + 1 } };
}

/** User turns since the last injection of the profile, or since the start of counting. */
function turnsIn(state: SessionState): number {
  const stored = state[TURNS_KEY];
  return typeof stored === "number" && Number.isInteger(stored) && stored > 0 ? stored : 0;
}
