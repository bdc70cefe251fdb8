import type { Diagnostic, SkillError } from "@skillwright/core";

/** Diagnostics of a repository over HTTP, apart from the format of SKILL.md, by code. */
const TEXTS = {
  "index.entry": ["error", "The entry of the index cannot be read", "Let whoever publishes it mend it."],
  "index.name": [
    "error",
    "The name in the index is none the standard allows",
    "Use 1 to 64 lower-case letters a to z, digits and single hyphens.",
  ],
  "index.twice": ["error", "The name is in the index twice; the first is used", "Keep one of them."],
  "index.files": [
    "error",
    "The entry has no usable list of files",
    "List plain paths relative to the skill.",
  ],
  "index.digest": [
    "error",
    "The entry has no usable digest, without which nothing is fetched",
    'Give "sha256:" and 64 hexadecimal digits.',
  ],
  "index.url": ["error", "The entry has no usable address", "Give one, absolute or relative to the index."],
  "index.type": ["warning", "The entry is left out, as its type is not known", "Use skill-md or archive."],
  "index.cut": [
    "warning",
    "The index has more skills than are looked at; the last ones are left out",
    "Allow more as limits.entries, or give another index.",
  ],
  "index.name-taken": [
    "error",
    "SKILL.md has the name of another entry of the index, which alone may have it",
    "Give the skill the name that the index has for it.",
  ],
  "skill-file.missing": ["error", "There is no SKILL.md", "Add one at the top of the skill."],
} as const satisfies Record<string, readonly [Diagnostic["severity"], string, string]>;

export type HttpDiagnosticCode = keyof typeof TEXTS;

/** @param path The path in the index, or the skill's folder. */
export function indexDiagnostic(code: HttpDiagnosticCode, path: string, about: string): Diagnostic {
  const [severity, message, hint] = TEXTS[code];
  return { code, severity, message: `${message} (${about}).`, hint, path };
}

/** Reports why a listed skill could not be fetched. */
export function unfetched(path: string, { code, message }: SkillError): Diagnostic {
  const hint = "Refresh to try again, or let whoever publishes it mend it.";
  const name = code.toLowerCase().replaceAll("_", "-");
  return { code: `fetch.${name}`, severity: "error", message, hint, path };
}

/** Reports why a skill still has the state from before the last refresh. */
export function stale(path: string, { message }: SkillError): Diagnostic {
  return {
    code: "fetch.stale",
    severity: "warning",
    message: `"${path}" is as it was before the refresh. ${message}`,
    hint: "Refresh again.",
    path,
  };
}
