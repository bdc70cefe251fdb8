import type { Diagnostic } from "../diagnostic.js";
import { isStructured, oneLine, writtenText } from "./field-text.js";
import { skillFileDiagnostic } from "./skill-file-diagnostic.js";
import type { YamlEntry } from "./yaml-mapping.js";

/** True for names the standard allows: 1 to 64 lower-case letters, digits and single hyphens inside. */
export function isSkillName(name: string): boolean {
  return nameProblems(name).length === 0;
}

/** The name a client uses, and what the standard holds against it: warnings, since no bad name stops a client. */
export function readName(
  entry: YamlEntry | undefined,
  directoryName: string,
): { readonly name: string; readonly diagnostics: readonly Diagnostic[] } {
  const written = oneLine(writtenText(entry));
  const name = written || directoryName;
  const problems = written ? nameProblems(writtenText(entry)) : [absence(entry)];
  if (name !== directoryName && name.normalize("NFKC") !== directoryName.normalize("NFKC"))
    problems.push("name.directory-mismatch");
  const diagnostics = problems.map((code) =>
    skillFileDiagnostic(
      code,
      "warning",
      `${MESSAGES[code]} (name "${name}", folder "${directoryName}").`,
      "Use 1 to 64 lower-case letters, digits and single hyphens, and give the folder the same name.",
      entry,
    ),
  );
  if (!PLAIN_NAME.test(written) && !isAscii(written.normalize("NFKC")))
    diagnostics.push(nonAscii(written, entry));
  return { name, diagnostics };
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
  return !/[^\u0000-\u007f]/.test(text);
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

/** Most names; the rules one by one take several times as long. */
const PLAIN_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

function nameProblems(raw: string): string[] {
  if (raw.length <= 64 && PLAIN_NAME.test(raw)) return [];
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

function absence(entry: YamlEntry | undefined): string {
  if (entry === undefined) return "name.missing";
  return isStructured(entry) ? "name.not-string" : "name.empty";
}

function nonAscii(name: string, entry: YamlEntry | undefined): Diagnostic {
  const message = `The name "${name}" has letters beyond a to z, which several clients refuse.`;
  return skillFileDiagnostic("name.non-ascii", "info", message, "Use a to z where you can.", entry);
}
