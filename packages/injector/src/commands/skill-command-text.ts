import { SKILL_STATE_KEYS, type StateDelta } from "@skillwright/core";
import { loadedBodies } from "../loads/loaded-bodies.js";
import type { ExpandedCommand } from "./slash-commands.js";

/**
 * The turn's message for a command that starts a skill: the request, then the skill's instructions, so that it also
 * works for skills that the model cannot load itself. `$ARGUMENTS` in the instructions is replaced; `$1` and similar
 * are not, since instructions contain shell scripts. `delta` marks the skill as loaded.
 */
export function skillCommandText(
  { command, given, text }: ExpandedCommand,
  body: string,
): { readonly text: string; readonly delta: StateDelta } {
  return skillMentionText(text, new Map([[command.skill ?? "", body.replaceAll("$ARGUMENTS", () => given)]]));
}

/**
 * The turn's message with the instructions of the skills that it mentions, by skill name. `delta` marks them as loaded.
 */
export function skillMentionText(
  message: string,
  bodies: ReadonlyMap<string, string>,
): { readonly text: string; readonly delta: StateDelta } {
  const skills = [...bodies.keys()].map((name) => ({ name }));
  const delta = Object.fromEntries(skills.map(({ name }) => [SKILL_STATE_KEYS.loaded(name), "1"]));
  const loaded = loadedBodies({ skills }, delta, { bodies, documents: new Map() });
  return { text: [message, loaded.text].filter((part) => part !== "").join("\n\n"), delta };
}
