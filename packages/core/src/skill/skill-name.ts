import type { Diagnostic } from "../diagnostic.js";
import { isStructured, oneLine, otherCase, writtenText } from "./field-text.js";
import { skillFileDiagnostic } from "./skill-file-diagnostic.js";
import type { YamlEntry } from "./yaml-mapping.js";

/** True for names the standard allows: 1 to 64 lower-case letters, digits and single hyphens inside. */
export function isSkillName(name: string): boolean {
  return nameProblems(name).length === 0;
}

/**
 * Returns the name that a client uses, and the standard's objections to it. These are warnings, since a bad name does
 * not prevent loading.
 */
export function readName(
  entries: ReadonlyMap<string, YamlEntry>,
  directoryName: string,
): { readonly name: string; readonly diagnostics: readonly Diagnostic[] } {
  const entry = entries.get("name");
  const written = oneLine(writtenText(entry));
  const name = written || directoryName;
  const problems = written ? nameProblems(writtenText(entry)) : [];
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
  if (!written) diagnostics.unshift(absence(entries, directoryName));
  if (!PLAIN_NAME.test(written) && !isAscii(written.normalize("NFKC")))
    diagnostics.push(nonAscii(written, entry));
  return { name, diagnostics };
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
  return !/[^\u0000-\u007f]/.test(text);
}

const MESSAGES: Readonly<Record<string, string>> = {
  "name.too-long": "The skill's name is longer than 64 characters",
  "name.uppercase": "The skill's name has capital letters",
  "name.bad-character": "The skill's name has characters other than letters, digits and hyphens",
  "name.edge-hyphen": "The skill's name begins or ends with a hyphen",
  "name.double-hyphen": "The skill's name has two hyphens in a row",
  "name.directory-mismatch": "The skill and its folder have different names",
};

/** Matches most names; checking the rules one by one takes several times as long. */
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

function absence(entries: ReadonlyMap<string, YamlEntry>, directoryName: string): Diagnostic {
  const entry = entries.get("name");
  const other = entry ? undefined : otherCase(entries, "name");
  const [code, what] = entry
    ? isStructured(entry)
      ? ["name.not-string", "The skill's name is not text"]
      : ["name.empty", "The skill's name is empty"]
    : [
        "name.missing",
        other ? `The skill has no name: "${other.key}" is another key` : "The skill has no name",
      ];
  const line = `\`name: ${isSkillName(directoryName) ? directoryName : "..."}\``;
  const hint = other
    ? `Write the key in lower case: ${line}.`
    : `${entry ? "Write" : "Add a line"} ${line}: 1 to 64 lower-case letters, digits and single hyphens, as the folder is called.`;
  const message = `${what}; the folder's is used ("${directoryName}").`;
  return skillFileDiagnostic(code, "warning", message, hint, entry ?? other);
}

function nonAscii(name: string, entry: YamlEntry | undefined): Diagnostic {
  const message = `The name "${name}" has letters beyond a to z, which several clients refuse.`;
  return skillFileDiagnostic("name.non-ascii", "info", message, "Use a to z where you can.", entry);
}
