import { type Diagnostic, type SessionState, SKILL_STATE_KEYS } from "@skillwright/core";
import type { ResolvedOptions } from "../injector-options.js";
import { codeSpan, oneLine } from "../overview/one-line.js";
import type { TriggeredSkill } from "./triggered-skills.js";

const MOST = 8;

/**
 * A line for the turn's own message that names the skills triggered by the request, at most 8; empty for none. A loaded
 * skill is not named again. Names only, since the overview has the descriptions.
 */
export function triggerNote(
  triggered: readonly TriggeredSkill[],
  state: SessionState,
  { tools, text }: Pick<ResolvedOptions, "tools" | "text">,
): { readonly text: string; readonly diagnostics: readonly Diagnostic[] } {
  const news = triggered.filter(({ skill }) => state[SKILL_STATE_KEYS.loaded(skill.name)] !== "1");
  if (news.length === 0) return { text: "", diagnostics: [] };
  const named = news
    .slice(0, MOST)
    .map(({ skill, because }) => `${codeSpan(skill.name)} (${oneLine(because)})`);
  const loader = ["skill_load", "skill_activate"].find((name) => tools.has(name));
  const remedy = text("triggered", loader ? `Load it with \`${loader}\` before you answer.` : "");
  return {
    text: `Skills that this request calls for: ${named.join(", ")}.${remedy && ` ${remedy}`}`,
    diagnostics: news.length > MOST ? [cut(news)] : [],
  };
}

function cut(news: readonly TriggeredSkill[]): Diagnostic {
  const names = news.slice(MOST).map(({ skill }) => JSON.stringify(skill.name));
  return {
    code: "trigger.cut",
    severity: "warning",
    message: `More than ${MOST} skills are triggered; these are not announced to the model: ${names.slice(0, 20).join(", ")}.`,
    hint: "Make the triggers narrower.",
  };
}
