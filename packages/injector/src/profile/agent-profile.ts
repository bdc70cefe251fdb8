import { type SessionState, SkillError, type StateDelta } from "@skillwright/core";

const TURNS_KEY = "agent:profile-turns";

export interface ProfileInjectionInput {
  /** The profile as it is now. */
  readonly text: string;
  readonly state: SessionState;
  /** True before the first message of a conversation, and of one that was reset or compacted. */
  readonly isEmpty: boolean;
  /** Inject again after so many user turns; 0 for never. Default 100. */
  readonly every?: number | undefined;
}

export interface ProfileInjection {
  /** To be added to the history as a system message, before the user's; missing where none is due. */
  readonly message?: string;
  /** Counts the turn that starts. To be applied whether a message is due or not. */
  readonly delta: StateDelta;
}

/**
 * Called when a user's turn starts: whether the agent's profile is due, and how the turns are counted. It opens an empty
 * conversation, and comes again after every so many user turns with what it says by then. A profile of blanks alone is
 * none.
 *
 * @throws SkillError `CONFIG_INVALID` where `every` is no whole number from 0.
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

/** User turns since the profile was injected last, or since the conversation was first seen. */
function turnsIn(state: SessionState): number {
  const stored = state[TURNS_KEY];
  return typeof stored === "number" && Number.isInteger(stored) && stored > 0 ? stored : 0;
}
