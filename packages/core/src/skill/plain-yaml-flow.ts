import type { JsonValue } from "../json-value.js";
import { type PlainValue, plainScalar } from "./plain-yaml-scalar.js";

const MAX_DEPTH = 8;
/** A bracket, a comma, a colon, a quoted text, or plain text between them. */
const TOKEN = / *([[\]{},]|: *|"[^"\\]*"|'[^']*'|[A-Za-z0-9](?:[A-Za-z0-9_./-]| (?! *[,\]}]))*)/y;
const KEY = /^(?:"[^"]*"|'[^']*'|[A-Za-z][A-Za-z0-9_.-]*)$/;

/** Parses a list or map in brackets on one line; `undefined` where a full YAML parser is needed. */
export function plainFlow(written: string): PlainValue | undefined {
  const tokens = tokensOf(written);
  if (!tokens) return undefined;
  const reader = { tokens, next: 0 };
  const read = collection(reader, 0);
  return reader.next === tokens.length ? read : undefined;
}

function tokensOf(written: string): string[] | undefined {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < written.length; at = TOKEN.lastIndex) {
    const token = TOKEN.exec(written)?.[1];
    if (token === undefined) return undefined;
    tokens.push(token);
  }
  return tokens;
}

interface Reader {
  readonly tokens: readonly string[];
  next: number;
}

function collection(reader: Reader, depth: number): PlainValue | undefined {
  if (depth === MAX_DEPTH) return undefined;
  return reader.tokens[reader.next++] === "[" ? list(reader, depth) : map(reader, depth);
}

function list(reader: Reader, depth: number): PlainValue | undefined {
  const values: JsonValue[] = [];
  if (isNext(reader, "]")) return { value: values, text: undefined };
  do {
    const item = valueAt(reader, depth);
    if (!item) return undefined;
    values.push(item.value);
  } while (isNext(reader, ","));
  return isNext(reader, "]") ? { value: values, text: undefined } : undefined;
}

function map(reader: Reader, depth: number): PlainValue | undefined {
  const values = new Map<string, JsonValue>();
  const texts = new Map<string, string>();
  if (!isNext(reader, "}"))
    do {
      const written = reader.tokens[reader.next++] ?? "";
      const key = KEY.test(written) ? plainScalar(written)?.value : undefined;
      if (typeof key !== "string" || key === "__proto__" || values.has(key)) return undefined;
      const item = isColon(reader, written) ? valueAt(reader, depth) : undefined;
      if (!item) return undefined;
      values.set(key, item.value);
      if (item.text !== undefined) texts.set(key, item.text);
    } while (isNext(reader, ","));
  if (values.size > 0 && !isNext(reader, "}")) return undefined;
  return { value: Object.fromEntries(values), text: undefined, texts: Object.fromEntries(texts) };
}

function valueAt(reader: Reader, depth: number): PlainValue | undefined {
  const token = reader.tokens[reader.next] ?? "";
  if (token === "[" || token === "{") return collection(reader, depth + 1);
  reader.next++;
  return plainScalar(token);
}

/** A colon without a following space counts only after a quoted key. */
function isColon(reader: Reader, key: string): boolean {
  const token = reader.tokens[reader.next++] ?? "";
  return token.startsWith(": ") || (token === ":" && /^["']/.test(key));
}

function isNext(reader: Reader, token: string): boolean {
  if (reader.tokens[reader.next] !== token) return false;
  reader.next++;
  return true;
}
