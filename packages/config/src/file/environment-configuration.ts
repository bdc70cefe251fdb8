import type { Environment } from "../clients/s3-client.js";
import type { ConfigurationFile } from "./configuration-file.js";
import { checkConfiguration } from "./configuration-schema.js";

/** Each variable with its field, and how its text is parsed. */
const VARIABLES: Readonly<Record<string, readonly [path: string, read: (text: string) => unknown]>> = {
  SKILLWRIGHT_SKILLS_ENABLED: ["skills.enabled", flag],
  SKILLWRIGHT_SKILLS_SOURCES: ["skills.sources", list],
  SKILLWRIGHT_SKILLS_ALLOW: ["skills.allow", list],
  SKILLWRIGHT_SKILLS_LINK_ROOTS: ["skills.link_roots", list],
  SKILLWRIGHT_SKILLS_MAX_INDEX_CHARS: ["skills.max_index_chars", number],
  SKILLWRIGHT_SKILLS_MAX_LISTED_SKILLS: ["skills.max_listed_skills", number],
  SKILLWRIGHT_AGENT_PROMPT_REINJECT_EVERY: ["agent_prompt_reinject_every", number],
};

/**
 * Reads the variables `SKILLWRIGHT_…`; lists are comma-separated. Empty variables are ignored.
 * @throws SkillError `CONFIG_INVALID` naming the variables and the fields.
 */
export function environmentConfiguration(env: Environment): ConfigurationFile {
  const whole: Record<string, unknown> = {};
  const skills: Record<string, unknown> = {};
  const set: string[] = [];
  for (const [name, [path, read]] of Object.entries(VARIABLES)) {
    const text = env[name]?.trim();
    if (!text) continue;
    set.push(name);
    const [first = "", second] = path.split(".");
    if (second === undefined) whole[first] = read(text);
    else skills[second] = read(text);
  }
  if (Object.keys(skills).length > 0) whole["skills"] = skills;
  return checkConfiguration(whole, `The environment (${set.join(", ")})`);
}

function flag(text: string): unknown {
  if (/^(true|1|yes|on)$/i.test(text)) return true;
  return /^(false|0|no|off)$/i.test(text) ? false : text;
}

function list(text: string): unknown {
  return text
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
}

function number(text: string): unknown {
  return /^\d+$/.test(text) ? Number(text) : text;
}
