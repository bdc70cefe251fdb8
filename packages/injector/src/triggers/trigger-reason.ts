import type { JsonValue, SkillTrigger } from "@skillwright/core";
import { shortened } from "../overview/one-line.js";
import type { SkillContext } from "../skill-context.js";
import { containsKeyword } from "./contains-keyword.js";
import { filePattern } from "./file-pattern.js";

/** Why a trigger matches a request; `no` where it does not, `unknown` where its meaning is unknown. */
export type TriggerVerdict = { readonly because: string } | "no" | "unknown";

const MAX_VALUES = 32;

/**
 * `keyword`: one of `keywords` occurs in the user's message. `command`: the command is one of `keywords`, `pattern` or
 * `condition`. `file_pattern` (`file`, `glob`): a file matches `pattern` or one of `keywords`. `context`: `condition`
 * is `during /name` for a command, `key` or `key=value` for the metadata. `always`: matches every request. Only the
 * first 32 values count.
 */
export function triggerReason(trigger: SkillTrigger, context: SkillContext): TriggerVerdict {
  const { pattern, condition } = trigger;
  const given = [...trigger.keywords, ...(pattern ? [pattern] : [])].slice(0, MAX_VALUES);
  const type = trigger.type
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  if (type === "always") return { because: "always" };
  if (type === "keyword" || type === "keywords") return keyword(given, context);
  if (type === "command") return command([...given, ...(condition ? [condition] : [])], context);
  if (/^(file_?patterns?|files?|globs?)$/.test(type)) return file(given, context);
  if (type === "context" && condition) return state(condition, context);
  return "unknown";
}

function keyword(keywords: readonly string[], { userMessage = "" }: SkillContext): TriggerVerdict {
  const found = keywords.find((one) => containsKeyword(userMessage, one));
  return found === undefined ? "no" : { because: `the word "${shown(found)}"` };
}

function command(names: readonly string[], { command: given }: SkillContext): TriggerVerdict {
  if (given === undefined) return "no";
  const found = names.some((name) => commandName(name) === commandName(given));
  return found ? { because: `the command /${shown(commandName(given))}` } : "no";
}

function commandName(text: string): string {
  return text.trim().replace(/^\//, "").replaceAll("-", "_").toLowerCase();
}

function file(patterns: readonly string[], { files = [] }: SkillContext): TriggerVerdict {
  if (patterns.length === 0) return "unknown";
  const tests = patterns.map(filePattern);
  const found = files.find((path) => tests.some((test) => test?.(path)));
  if (found !== undefined) return { because: `the file ${shown(found)}` };
  return tests.includes(undefined) ? "unknown" : "no";
}

function state(condition: string, context: SkillContext): TriggerVerdict {
  const [, during] = /^during\s+(\/\S+)$/i.exec(condition.trim()) ?? [];
  if (during !== undefined) return command([during], context);
  const [, key = "", wanted] = /^([\w.-]+)(?:\s*==?\s*(.+))?$/s.exec(condition.trim()) ?? [];
  if (key === "") return "unknown";
  const { metadata = {} } = context;
  const value: JsonValue | undefined = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
  const holds = wanted === undefined ? Boolean(value) : String(value ?? "") === wanted.trim();
  return holds ? { because: shown(condition) } : "no";
}

function shown(text: string): string {
  return shortened(text, 80);
}
