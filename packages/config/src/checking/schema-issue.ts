/** A problem that a schema found: the part of a Zod issue that is used here. */
export interface SchemaIssue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[] | undefined;
  readonly expected?: unknown;
  readonly values?: readonly unknown[] | undefined;
  readonly origin?: string | undefined;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly format?: string | undefined;
}

export interface FieldProblem {
  /** `skillsPackage.source`. */
  readonly path: string;
  readonly given: string;
  readonly expected: string;
}

/**
 * One problem per field: its location, the given value, what is expected. A value that may be a key is never repeated.
 * @param whole The checked value, since an issue's path does not tell the given value.
 */
export function fieldProblems(issues: readonly SchemaIssue[], whole: unknown): FieldProblem[] {
  return issues.flatMap((issue) => problemsOf(issue, whole));
}

function problemsOf(issue: SchemaIssue, whole: unknown): FieldProblem[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys")
    return (issue.keys ?? []).map((key) => ({
      path: [...path, key].join("."),
      given: "a field that does not exist",
      expected: OURS.has(key)
        ? `the name it has here: ${OURS.get(key)}`
        : "no such field; check its spelling",
    }));
  const given = shown(valueAt(whole, path), path.at(-1));
  return [{ path: path.join(".") || "(the whole)", given, expected: expectation(issue) }];
}

/** Names in other clients and their equivalents here. */
const OURS: ReadonlyMap<string, string> = new Map([
  ["apiKey", "api_key"],
  ["allowBundled", "allow_bundled"],
  ["load", "repositories for load.extraDirs; folders are always looked at again"],
  ["extraDirs", 'repositories, such as "repositories": { "shared": "/a/folder" }'],
  ["maxIndexChars", "max_index_chars"],
  ["maxListedSkills", "max_listed_skills"],
  ["passEnv", "pass_env"],
  ["trustedProjects", "trusted_projects"],
]);

function expectation(issue: SchemaIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "int" ? "a whole number" : `a value of type ${String(issue.expected)}`;
    case "invalid_value":
      return `one of ${(issue.values ?? []).map((value) => JSON.stringify(value)).join(", ")}`;
    case "too_small":
      return issue.origin === "string" ? "text that is not empty" : `at least ${String(issue.minimum)}`;
    case "too_big":
      return `at most ${String(issue.maximum)}`;
    case "invalid_format":
      return issue.format === "url"
        ? "a URL, such as https://api.example.com/v1"
        : // A pattern's custom message is clearer than the pattern.
          issue.format === "regex"
          ? issue.message
          : `the form ${issue.format}`;
    default:
      return issue.message;
  }
}

function valueAt(whole: unknown, path: readonly string[]): unknown {
  let value = whole;
  for (const part of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

function shown(value: unknown, field: string | undefined): string {
  if (value === undefined) return "nothing";
  if (field && /key|token|secret|password/i.test(field)) return `a value of type ${typeof value}`;
  const text = asJson(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** A value that is nested too deeply for the stack, or that contains itself, is named but not shown. */
function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return `a value of type ${Array.isArray(value) ? "array" : typeof value} that cannot be shown`;
  }
}
