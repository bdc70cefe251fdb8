import type { JsonValue } from "../json-value.js";
import { SkillError } from "../skill-error.js";
import type { ListRecordsOptions, RecordChange } from "./record-store.js";

const MOST_PARTS = 8;
const MOST_CHARACTERS = 200;
const MOST_OF_HOLDER = 100;
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_LISTED = 1000;
const DEFAULT_LISTED = 100;
const PART = new RegExp(`^[^\\u0000-\\u001f\\u007f-\\u009f\\p{Surrogate}]{1,${MOST_CHARACTERS}}$`, "u");
/** The text `next` of a page by age: a number, which a blank and hexadecimal digits may follow. */
const AGE = /^\d{1,20}( [0-9a-f-]+)?$/;
const LOG = /^[A-Za-z0-9._-]{1,120}$/;

/** The collection and the name of a key. @throws SkillError `INPUT_INVALID`. */
export function checkRecordKey(key: readonly string[]): { collection: readonly string[]; name: string } {
  checkParts(key, 2);
  return { collection: key.slice(0, -1), name: key.at(-1) as string };
}

/** @throws SkillError `INPUT_INVALID`. */
export function checkCollection(collection: readonly string[]): readonly string[] {
  checkParts(collection, 1);
  return collection.slice();
}

/** Returns the name. @throws SkillError `INPUT_INVALID`. */
export function checkLog(log: string): string {
  if (typeof log === "string" && LOG.test(log)) return log;
  throw invalid(
    `The name of a log must be 1 to 120 letters, digits, ".", "-" and "_", and not ${shown(log)}.`,
  );
}

/** A change as texts of JSON, which the caller cannot change any more. */
export interface CheckedChange {
  readonly from: string | null | undefined;
  readonly value: string;
  readonly holder: string | undefined;
  readonly drop: readonly string[];
  readonly append: readonly (readonly [log: string, entries: readonly string[]])[];
}

/** @throws SkillError `INPUT_INVALID`. */
export function checkChange({ from, value, holder, drop = [], append = {} }: RecordChange): CheckedChange {
  const text = jsonOf(value);
  checkSize("value of a record", [text]);
  if (holder !== undefined) checkHolder(holder);
  const logs = Object.entries(append).map(([log, entries]) => [checkLog(log), entries.map(jsonOf)] as const);
  checkSize(
    "entries of a change",
    logs.flatMap(([, entries]) => entries),
  );
  return { from, value: text, holder, drop: drop.map(checkLog), append: logs };
}

/** The entries as texts of JSON. @throws SkillError `INPUT_INVALID`. */
export function checkEntries(given: {
  readonly log: string;
  readonly holder: string;
  readonly entries: readonly JsonValue[];
}): { readonly log: string; readonly holder: string; readonly entries: readonly string[] } {
  const entries = given.entries.map(jsonOf);
  checkSize("entries of a call", entries);
  return { log: checkLog(given.log), holder: checkHolder(given.holder), entries };
}

/** With the defaults. @throws SkillError `INPUT_INVALID`. */
export function checkListing({ order = "key", after, limit = DEFAULT_LISTED }: ListRecordsOptions) {
  if (order !== "key" && order !== "newest") throw invalid(`The order must be "key" or "newest".`);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_LISTED)
    throw invalid(`The limit of a list must be a whole number from 1 to ${MOST_LISTED}.`);
  if (after !== undefined && (typeof after !== "string" || (order === "newest" && !AGE.test(after))))
    throw invalid("`after` must be the text `next` of a page in the same order.");
  return { order, after, limit };
}

/** @throws SkillError `INPUT_INVALID`. */
export function checkRange({ from, limit }: { from: number; limit: number }): {
  from: number;
  limit: number;
} {
  if (Number.isSafeInteger(from) && from >= 0 && Number.isSafeInteger(limit) && limit >= 0)
    return { from, limit };
  throw invalid("`from` and `limit` of a log must be whole numbers of 0 or more.");
}

function checkParts(parts: readonly string[], least: number): void {
  if (!Array.isArray(parts) || parts.length < least || parts.length > MOST_PARTS)
    throw invalid(`The key of a record has ${least} to ${MOST_PARTS} parts.`);
  const wrong = parts.find((part) => typeof part !== "string" || !PART.test(part));
  if (wrong === undefined) return;
  throw invalid(
    `Each part of a record's key must be 1 to ${MOST_CHARACTERS} characters, without control characters and lone surrogates, and not ${shown(wrong)}.`,
  );
}

function checkHolder(holder: string): string {
  if (typeof holder === "string" && holder !== "" && holder.length <= MOST_OF_HOLDER) return holder;
  throw invalid(`The holder of a record must be 1 to ${MOST_OF_HOLDER} characters.`);
}

function jsonOf(value: JsonValue): string {
  const text = JSON.stringify(value);
  if (text === undefined)
    throw invalid("What is stored must be JSON: null, and not undefined, stands for nothing.");
  return text;
}

function checkSize(what: string, texts: readonly string[]): void {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes <= MOST_BYTES) return;
  throw new SkillError(
    "INPUT_INVALID",
    `The ${what} has ${bytes} bytes as JSON, and ${MOST_BYTES} are the most. Store less, or in parts.`,
    { details: { bytes, limit: MOST_BYTES } },
  );
}

function shown(value: unknown): string {
  return JSON.stringify(String(value).slice(0, 80));
}

function invalid(message: string): SkillError {
  return new SkillError("INPUT_INVALID", message);
}
