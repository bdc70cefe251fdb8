import type { ManifestFile } from "@skillwright/core";

const MAX_SCRIPTS = 100;
const MAX_SCRIPT_BYTES = 64 * 1024;
const PROJECTS: readonly string[] = ["pyproject.toml", "scripts/pyproject.toml"];

/**
 * Returns the files of a skill that name Python packages without locking them: a `pyproject.toml`, and scripts with a
 * block of metadata (PEP 723). Looks at the first 100 scripts of at most 64 KiB.
 */
export async function unlockedPythonPackages(
  files: readonly ManifestFile[],
  text: (path: string) => Promise<string>,
): Promise<readonly string[]> {
  const projects = files.filter(({ path }) => PROJECTS.includes(path));
  const scripts = files
    .filter(({ path, size }) => path.endsWith(".py") && size <= MAX_SCRIPT_BYTES)
    .slice(0, MAX_SCRIPTS);
  const found: string[] = [];
  for (const { path } of [...projects, ...scripts]) {
    const content = await text(path);
    if (namesPackages(path.endsWith(".py") ? blockOf(content) : content)) found.push(path);
  }
  return found;
}

/** The block without its comment signs. */
function blockOf(script: string): string {
  const [, block = ""] = /^# \/\/\/ script\r?\n((?:#.*\r?\n)*?)# \/\/\/\r?$/m.exec(script) ?? [];
  return block.replace(/^# ?/gm, "");
}

function namesPackages(toml: string): boolean {
  return /^\s*dependencies\s*=\s*\[\s*["']/m.test(toml);
}
