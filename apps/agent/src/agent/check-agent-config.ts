import { SkillError } from "@skillwright/core";
import type { z } from "zod";
import { agentConfigSchema, type CheckedAgentConfig } from "./agent-config.js";

/**
 * The configuration with its defaults filled in.
 * @throws SkillError `CONFIG_INVALID`: one line a wrong field, with its path, what was given and what is expected;
 *   the same as data in `details.fields`. A value that may be a key is never repeated.
 */
export function checkAgentConfig(config: unknown): CheckedAgentConfig {
  const checked = agentConfigSchema.safeParse(config);
  if (checked.success) return checked.data;
  const fields = checked.error.issues.flatMap((issue) => fieldProblems(issue, config));
  const lines = fields.map(({ path, given, expected }) => `- ${path}: given ${given}; expected ${expected}.`);
  throw new SkillError("CONFIG_INVALID", `The agent's configuration does not fit:\n${lines.join("\n")}`, {
    details: { fields },
  });
}

interface FieldProblem {
  /** `skillsPackage.source`. */
  readonly path: string;
  readonly given: string;
  readonly expected: string;
}

function fieldProblems(issue: z.core.$ZodIssue, config: unknown): FieldProblem[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({
      path: [...path, key].join("."),
      given: "a field that does not exist",
      expected: "it to be left out; check its spelling",
    }));
  const given = shown(valueAt(config, path), path.at(-1));
  return [{ path: path.join(".") || "(the whole)", given, expected: expectation(issue, path.join(".")) }];
}

function expectation(issue: z.core.$ZodIssue, path: string): string {
  if (path === "skillsPackage.source")
    return '"local", a folder on this machine; copy the package into one and give it as skillsPackage.path';
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "int" ? "a whole number" : `a value of type ${issue.expected}`;
    case "invalid_value":
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "too_small":
      return issue.origin === "string" ? "text that is not empty" : `at least ${issue.minimum}`;
    case "too_big":
      return `at most ${issue.maximum}`;
    case "invalid_format":
      return issue.format === "url"
        ? "a URL, such as https://api.example.com/v1"
        : `the form ${issue.format}`;
    case "invalid_union":
      return "text or a Secret";
    default:
      return issue.message;
  }
}

function valueAt(config: unknown, path: readonly string[]): unknown {
  let value = config;
  for (const part of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

function shown(value: unknown, field: string | undefined): string {
  if (value === undefined) return "nothing";
  if (field && /key|token|secret|password/i.test(field)) return `a value of type ${typeof value}`;
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
