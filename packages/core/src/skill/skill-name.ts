import type { Diagnostic } from "../diagnostic.js";
import type { JsonValue } from "../json-value.js";

/** True for names the standard allows: 1 to 64 lower-case letters, digits and single hyphens inside. */
export function isSkillName(name: string): boolean {
  return nameProblems(name).length === 0;
}

/** What the standard holds against a name that a client uses all the same. `written` is the field as YAML gave it. */
export function nameDiagnostics(
  written: JsonValue | undefined,
  name: string,
  directoryName: string,
): readonly Diagnostic[] {
  const problems =
    written === undefined
      ? ["name.missing"]
      : written === null || written === ""
        ? ["name.empty"]
        : typeof written === "object"
          ? ["name.not-string"]
          : nameProblems(name);
  if (name.normalize("NFKC") !== directoryName.normalize("NFKC")) problems.push("name.directory-mismatch");
  return problems.map((code) => ({
    code,
    severity: "warning",
    message: `${MESSAGES[code]} (name "${name}", folder "${directoryName}").`,
    hint: "Use 1 to 64 lower-case letters, digits and single hyphens, and give the folder the same name.",
    path: "SKILL.md",
  }));
}

const MESSAGES: Readonly<Record<string, string>> = {
  "name.missing": "The skill has no name; the folder's is used",
  "name.empty": "The skill's name is empty; the folder's is used",
  "name.not-string": "The skill's name is not text; the folder's is used",
  "name.too-long": "The skill's name is longer than 64 characters",
  "name.uppercase": "The skill's name has capital letters",
  "name.bad-character": "The skill's name has characters other than letters, digits and hyphens",
  "name.edge-hyphen": "The skill's name begins or ends with a hyphen",
  "name.double-hyphen": "The skill's name has two hyphens in a row",
  "name.directory-mismatch": "The skill and its folder have different names",
};

function nameProblems(raw: string): string[] {
  const name = raw.trim().normalize("NFKC");
  const problems: string[] = [];
  if (name === "") return ["name.empty"];
  if ([...name].length > 64) problems.push("name.too-long");
  if (name !== name.toLowerCase()) problems.push("name.uppercase");
  if (/[^\p{L}\p{N}-]/u.test(name)) problems.push("name.bad-character");
  if (/^-|-$/.test(name)) problems.push("name.edge-hyphen");
  if (name.includes("--")) problems.push("name.double-hyphen");
  return problems;
}
