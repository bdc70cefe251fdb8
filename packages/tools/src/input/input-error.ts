import { type JsonObject, SkillError } from "@skillwright/core";
import type { z } from "zod";
import { fieldNames, requiredFields, schemaNode, valueAt } from "./schema-node.js";

type Issue = z.core.$ZodIssue;

const MAX_TOLD = 5;

/** Combines all problems in one error: the field, the given value, what is valid. */
export function inputError(issues: readonly Issue[], json: JsonObject, value: unknown): SkillError {
  const absent = issues.filter((issue) => isAbsent(issue, json, value));
  const others = issues.filter((issue) => !absent.includes(issue));
  const messages = [...absentFields(absent, json), ...others.map((issue) => described(issue, json, value))];
  const fields = issues.map(({ path }) => path.join("."));
  return new SkillError("INPUT_INVALID", messages.slice(0, MAX_TOLD).join(" "), { details: { fields } });
}

function isAbsent({ path, code }: Issue, json: JsonObject, value: unknown): boolean {
  if (path.length !== 1 || code === "unrecognized_keys") return false;
  const given = valueAt(value, path);
  const blank = given === undefined || given === null || (typeof given === "string" && given.trim() === "");
  return blank && requiredFields(json).includes(String(path[0]));
}

/** Names all missing required fields in one message, so that the next call can be correct. */
function absentFields(issues: readonly Issue[], json: JsonObject): string[] {
  if (issues.length === 0) return [];
  const required = requiredFields(json);
  const rule =
    required.length === 1
      ? `${quoted(required)} is required and must not be blank.`
      : `${quoted(required)} are ${required.length === 2 ? "both " : ""}required and must not be blank.`;
  return [`${rule} Missing: ${quoted(issues.map(({ path }) => String(path[0])))}.`];
}

function described(issue: Issue, json: JsonObject, value: unknown): string {
  const name = issue.path.join(".");
  const node = schemaNode(json, issue.path);
  if (issue.code === "unrecognized_keys") {
    const place = name === "" ? "" : ` in "${name}"`;
    return `Unknown ${issue.keys.length === 1 ? "field" : "fields"} ${quoted(issue.keys)}${place}. Valid: ${fieldNames(node).join(", ")}.`;
  }
  const given = JSON.stringify(valueAt(value, issue.path)) ?? "nothing";
  const valid = typeof node?.["description"] === "string" ? ` Valid: ${node["description"]}` : "";
  return `The field "${name}" is ${given.slice(0, 80)}: ${issue.message.replace(/\.$/, "")}.${valid}`;
}

function quoted(names: readonly string[]): string {
  const all = names.map((name) => `"${name}"`);
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}
