import type { ManifestFile } from "@skillwright/core";
import { tomlLibrary } from "#late";
import { isFields, textsIn } from "../fields.js";

const MAX_SCRIPTS = 100;
const MAX_SCRIPT_BYTES = 64 * 1024;

/** The requirements that a file of a skill names, or why they cannot be read. */
export type DeclaredPythonPackages =
  | { readonly requirements: readonly string[] }
  | { readonly problem: string };

/** The requirements in `project.dependencies` of a `pyproject.toml`. */
export function projectRequirements(toml: string): DeclaredPythonPackages {
  return requirementsIn(toml, (fields) => (isFields(fields["project"]) ? fields["project"] : {}));
}

/** The scripts of a skill that name packages in a block of metadata (PEP 723); looks at the first 100 of at most 64 KiB. */
export async function scriptsWithPackages(
  files: readonly ManifestFile[],
  text: (path: string) => Promise<string>,
): Promise<readonly { readonly path: string; readonly declared: DeclaredPythonPackages }[]> {
  const scripts = files
    .filter(({ path, size }) => path.endsWith(".py") && size <= MAX_SCRIPT_BYTES)
    .slice(0, MAX_SCRIPTS);
  const found: { path: string; declared: DeclaredPythonPackages }[] = [];
  for (const { path } of scripts) {
    const declared = requirementsIn(blockOf(await text(path)), (fields) => fields);
    if ("problem" in declared || declared.requirements.length > 0) found.push({ path, declared });
  }
  return found;
}

function requirementsIn(
  toml: string,
  holder: (fields: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): DeclaredPythonPackages {
  try {
    return { requirements: textsIn(holder(tomlLibrary().parse(toml))["dependencies"]) };
  } catch {
    return { problem: "what names them is not TOML" };
  }
}

/** The block without its comment signs. */
function blockOf(script: string): string {
  const [, block = ""] = BLOCK.exec(script) ?? [];
  return block.replace(/(^|\n)# ?/g, "$1");
}

/** Python ends a line at a line feed, not at the separators of Unicode, at which `.`, `^` and `$` would. */
const BLOCK = /(?:^|\n)# \/\/\/ script\r?\n((?:#[^\n]*\n)*?)# \/\/\/\r?(?:\n|$)/;
