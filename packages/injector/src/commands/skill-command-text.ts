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
  const { skill = "" } = command;
  const delta = { [SKILL_STATE_KEYS.loaded(skill)]: "1" };
  const bodies = new Map([[skill, body.replaceAll("$ARGUMENTS", () => given)]]);
  const loaded = loadedBodies({ skills: [{ name: skill }] }, delta, { bodies, documents: new Map() });
  return { text: `${text}\n\n${loaded.text}`, delta };
}
