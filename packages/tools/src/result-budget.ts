import {
  type Diagnostic,
  type JsonObject,
  type JsonValue,
  SkillError,
  type SkillTool,
  type ToolResult,
} from "@skillwright/core";

const DEFAULT_CHARACTERS = 64 * 1024;
const LEAST_CHARACTERS = 4096;
/** Reserved for notes, and for what surrounds a text that is read in parts. */
export const BUDGET_RESERVE = 2048;
/** Texts up to this length are never cut. */
const SHORT = 256;
const MOST_NOTES = 10;

/** @throws SkillError `CONFIG_INVALID` for less than 4,096 or a value that is not a whole number. */
export function resultBudget(given: number = DEFAULT_CHARACTERS): number {
  if (Number.isSafeInteger(given) && given >= LEAST_CHARACTERS) return given;
  throw new SkillError(
    "CONFIG_INVALID",
    `skillTools: \`maxResultCharacters\` is ${given}. Give a whole number from ${LEAST_CHARACTERS} on.`,
  );
}

/**
 * Wraps the tool so that its results have at most that many characters. Long texts are cut to a common length, then
 * long lists. What was cut is reported in the field `cut` of the output, or after the output where that is text, and in
 * the diagnostic `result.cut`.
 */
export function withResultBudget(tool: SkillTool, budget: number): SkillTool {
  return { ...tool, execute: async (input, context) => bounded(await tool.execute(input, context), budget) };
}

function bounded(result: ToolResult, budget: number): ToolResult {
  const { output } = result;
  const size = sizeOf(output);
  if (size <= budget) return result;
  const notes: string[] = [];
  const room = budget - BUDGET_RESERVE;
  const cut =
    typeof output === "string"
      ? cutText(output, room, "The text", notes)
      : cutLists(cutTexts(output, room, notes), room, notes);
  const shown =
    notes.length > MOST_NOTES
      ? [...notes.slice(0, MOST_NOTES), `${notes.length - MOST_NOTES} more are cut.`]
      : notes;
  return {
    ...result,
    output:
      typeof cut === "string" ? `${cut}\n[${shown.join(" ")} ${REMEDY}]` : noted(cut, [...shown, REMEDY]),
    diagnostics: [...result.diagnostics, told(size, budget)],
  };
}

const REMEDY =
  "To see the rest, read files in parts (offset of workspace_read or skill_read), write long output into a file, or ask for less.";

function noted(output: JsonValue, cut: readonly string[]): JsonObject {
  return isMap(output) ? { ...output, cut } : { result: output, cut };
}

/** Cuts texts to the largest common length with which all of them fit; shorter texts stay complete. */
function cutTexts(output: JsonValue, room: number, notes: string[]): JsonValue {
  const sizes = textSizes(output).filter((size) => size > SHORT);
  const others = sizeOf(output) - sizes.reduce((sum, size) => sum + size, 0);
  const limit = Math.max(SHORT, commonLimit(sizes, room - others));
  return mapped(output, "", (text, path) =>
    sizeOf(text) > limit ? cutText(text, limit, path, notes) : text,
  );
}

/** The largest length to which all can be cut so that they fit. */
function commonLimit(sizes: readonly number[], room: number): number {
  let left = room;
  const rising = [...sizes].sort((a, b) => a - b);
  for (const [index, size] of rising.entries()) {
    const share = Math.floor(left / (rising.length - index));
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

/** Halves the longest list, not counting lists inside it, until everything fits. */
function cutLists(output: JsonValue, room: number, notes: string[]): JsonValue {
  let cut = output;
  while (sizeOf(cut) > room) {
    const [longest] = lists(cut, "")
      .filter(({ list }) => list.length > 0)
      .sort((a, b) => b.own - a.own);
    if (!longest) return null;
    const kept = Math.floor(longest.list.length / 2);
    notes.push(`${longest.path || "The list"}: the first ${kept} of ${longest.list.length} are given.`);
    cut = replaced(cut, longest.list, longest.list.slice(0, kept));
  }
  return cut;
}

/** Cuts the text so that it takes at most `limit` characters as JSON, never within a character. */
function cutText(text: string, limit: number, path: string, notes: string[]): string {
  let end = Math.min(text.length, limit);
  for (let size = sizeOf(text.slice(0, end)); size > limit; size = sizeOf(text.slice(0, end)))
    end = Math.floor(end * Math.min(0.99, limit / size));
  const shown = text.slice(0, end).replace(/[\ud800-\udbff]$/, "");
  notes.push(`${path}: the first ${shown.length} of ${text.length} characters are given.`);
  return shown;
}

function mapped(value: JsonValue, path: string, change: (text: string, path: string) => string): JsonValue {
  if (typeof value === "string") return change(value, path);
  if (Array.isArray(value)) return value.map((inner, index) => mapped(inner, below(path, index), change));
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, mapped(inner, below(path, name), change)]),
  );
}

function textSizes(value: JsonValue): number[] {
  const sizes: number[] = [];
  mapped(value, "", (text) => {
    sizes.push(sizeOf(text));
    return text;
  });
  return sizes;
}

interface FoundList {
  readonly path: string;
  readonly list: readonly JsonValue[];
  /** Its size without nested lists. */
  readonly own: number;
}

function lists(value: JsonValue, path: string): readonly FoundList[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, one]) => lists(one as JsonValue, below(path, name)));
  if (!Array.isArray(value)) return inner;
  return [{ path, list: value, own: inner.reduce((left, { own }) => left - own, sizeOf(value)) }, ...inner];
}

function replaced(value: JsonValue, old: JsonValue, fresh: JsonValue): JsonValue {
  if (value === old) return fresh;
  if (Array.isArray(value)) return value.map((inner) => replaced(inner, old, fresh));
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, replaced(inner, old, fresh)]),
  );
}

function isMap(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function below(path: string, name: string | number): string {
  return path === "" ? String(name) : `${path}.${name}`;
}

function sizeOf(value: JsonValue): number {
  return JSON.stringify(value).length;
}

function told(size: number, budget: number): Diagnostic {
  return {
    code: "result.cut",
    severity: "warning",
    message: `The result had ${size} characters; ${budget} are allowed, so its long texts and lists were cut.`,
    hint: "Raise `maxResultCharacters` of skillTools, or let the model read files in parts.",
  };
}
