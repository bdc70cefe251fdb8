import type { Diagnostic, JsonObject } from "@skillwright/core";
import type { z } from "zod";
import { fieldNames, requiredFields, schemaNode, valueAt } from "./schema-node.js";

type Holder = Record<PropertyKey, unknown>;
type Issue = z.core.$ZodIssue;

/** Repairs the value of the issue in place and returns notes about it; `undefined` where a repair would be a guess. */
export function repairInput(
  value: Holder,
  issue: Issue,
  json: JsonObject,
): readonly Diagnostic[] | undefined {
  if (issue.code === "unrecognized_keys") return renamed(value, issue.path, issue.keys, json);
  const field = issue.path.at(-1);
  const holder = valueAt(value, issue.path.slice(0, -1)) as Holder | undefined;
  if (field === undefined || holder === undefined || !Object.hasOwn(holder, field)) return undefined;
  const given = holder[field];
  const name = issue.path.join(".");
  if (given === null) {
    const required = requiredFields(schemaNode(json, issue.path.slice(0, -1)));
    if (Array.isArray(holder) || required.includes(String(field))) return undefined;
    delete holder[field];
    // `null` for an absent optional field needs no note.
    return [];
  }
  if (issue.code !== "invalid_type") return undefined;
  const mended = converted(given, issue.expected);
  if (mended === undefined) return undefined;
  holder[field] = mended;
  return [told("input.converted", `The field "${name}" was read as ${issue.expected}.`)];
}

/**
 * Renames fields in another spelling to the valid name. Where both are given, the valid one keeps its value.
 */
function renamed(
  value: Holder,
  path: readonly PropertyKey[],
  keys: readonly string[],
  json: JsonObject,
): readonly Diagnostic[] | undefined {
  const holder = valueAt(value, path) as Holder;
  const valid = fieldNames(schemaNode(json, path));
  const names = keys.map((key) => [key, snakeCase(key)] as const);
  if (names.some(([key, name]) => key === name || !valid.includes(name))) return undefined;
  for (const [key, name] of names) {
    if (!Object.hasOwn(holder, name)) holder[name] = holder[key];
    delete holder[key];
  }
  const pairs = names.map(([key, name]) => `"${key}" as "${name}"`).join(", ");
  return [told("input.renamed", `Fields were read under their valid names: ${pairs}.`)];
}

function snakeCase(key: string): string {
  return key
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[-\s]+/g, "_")
    .toLowerCase();
}

function converted(given: unknown, expected: string): unknown {
  if (expected === "string")
    return typeof given === "number" || typeof given === "boolean" ? String(given) : undefined;
  const read = typeof given === "string" ? parsed(given) : given;
  if (expected === "array") return listOf(given, read);
  if (expected === "object" || expected === "record")
    return read !== given && typeof read === "object" && !Array.isArray(read) ? read : undefined;
  if (expected === "number" || expected === "boolean")
    return typeof read === expected && read !== given ? read : undefined;
  return undefined;
}

function listOf(given: unknown, read: unknown): unknown {
  if (Array.isArray(read)) return read;
  if (typeof read === "object") return [read];
  return typeof given === "string" && given.trim() !== "" ? [given] : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

function told(code: string, message: string): Diagnostic {
  return { code, severity: "info", message, hint: "Give it as the tool's schema says." };
}
