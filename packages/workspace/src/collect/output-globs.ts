import { type Diagnostic, SkillError } from "@skillwright/core";
import { globLibrary } from "#late";
import { locatePath, type PathContext } from "../path/locate-path.js";
import { withInputsAlias } from "../path/workspace-path.js";

const MAX_GLOBS = 64;
const MAX_LENGTH = 512;
const MAX_PATTERNS = 64;
const MAX_ALL_PATTERNS = 256;

/** The directories of a workspace from which outputs are collected. */
type OutputRoot = "out" | "runs" | "work";
const OUTPUT_ROOTS: readonly OutputRoot[] = ["out", "runs", "work"];

export interface OutputGlob {
  /** The glob as the caller wrote it. */
  readonly written: string;
  /** Patterns relative to the workspace's root, with braces expanded. */
  readonly patterns: readonly string[];
  readonly matches: (path: string) => boolean;
  /** Directories that must be listed for it. */
  readonly roots: readonly OutputRoot[];
}

/**
 * Parses globs relative to the workspace's root. `$OUTPUT_DIR/**` and `/out/**` mean `out/**`, other variables
 * are kept literally, `inputs/**` means `work/inputs/**`, and blank globs are ignored. `*`, `?`, `[a-z]`, `**`
 * and `{a,b}` are supported and match names with a leading dot; nothing else is special. A glob that leads outside gets
 * a `glob.outside` diagnostic and matches nothing.
 * @throws SkillError `INPUT_INVALID` naming the glob: more than 64 globs, longer than 512 characters, more than 64
 * patterns after brace expansion (256 over all globs), or a NUL.
 */
export function outputGlobs(
  written: readonly string[],
  context: PathContext,
): { globs: readonly OutputGlob[]; diagnostics: readonly Diagnostic[] } {
  if (!Array.isArray(written))
    throw new SkillError("INPUT_INVALID", 'The globs are not an array. Give one such as ["out/**"].');
  if (written.length > MAX_GLOBS)
    throw new SkillError(
      "INPUT_INVALID",
      `${written.length} globs are too many; at most ${MAX_GLOBS} are allowed. Combine some.`,
    );
  const diagnostics: Diagnostic[] = [];
  const globs = written.flatMap((glob) => {
    checkText(glob);
    if (glob.trim() === "") return [];
    const patterns = expanded(glob, context);
    const inside = patterns.filter((pattern) => !leadsOutside(pattern));
    if (inside.length < patterns.length) diagnostics.push(outside(glob));
    if (inside.length === 0) return [];
    return [{ written: glob, patterns: inside, matches: matcher(inside), roots: rootsOf(inside) }];
  });
  const count = globs.reduce((sum, { patterns }) => sum + patterns.length, 0);
  if (count > MAX_ALL_PATTERNS)
    throw new SkillError(
      "INPUT_INVALID",
      `The globs expand to ${count} patterns; at most ${MAX_ALL_PATTERNS} are allowed. Use fewer braces, or "out/**".`,
    );
  return { globs, diagnostics };
}

function checkText(glob: unknown): asserts glob is string {
  if (typeof glob !== "string") throw invalid(String(glob), "it is no text");
  if (glob.length > MAX_LENGTH) throw invalid(glob, `it is longer than ${MAX_LENGTH} characters`);
  if (glob.includes("\0")) throw invalid(glob, "it contains a NUL character");
}

/**
 * Replaces variables first, because brace expansion would treat `${WORK_DIR}` as a brace. Outside paths are returned
 * unchanged.
 */
function expanded(glob: string, context: PathContext): readonly string[] {
  const patterns = globLibrary().braceExpand(located(glob, context), { braceExpandMax: MAX_PATTERNS + 1 });
  if (patterns.length > MAX_PATTERNS)
    throw invalid(glob, `its braces expand to more than ${MAX_PATTERNS} patterns`);
  return patterns.map((pattern) => withInputsAlias(pattern.replace(/^(?:\.\/+)+/, "")));
}

function located(glob: string, context: PathContext): string {
  const text = glob.trim().replaceAll("\\", "/");
  try {
    const { base, rest } = locatePath(text, context) ?? { base: ".", rest: text };
    return base === "." ? rest : rest === "" ? base : `${base}/${rest}`;
  } catch (error) {
    if (SkillError.is(error, "PATH_OUTSIDE")) return text;
    throw error;
  }
}

function leadsOutside(pattern: string): boolean {
  return pattern.startsWith("/") || /^[A-Za-z]:\//.test(pattern) || pattern.split("/").includes("..");
}

function matcher(patterns: readonly string[]): (path: string) => boolean {
  const options = {
    dot: true,
    noext: true,
    nobrace: true,
    nocomment: true,
    nonegate: true,
    platform: "linux",
  } as const;
  const { Minimatch } = globLibrary();
  const matchers = patterns.map((pattern) => new Minimatch(pattern, options));
  return (path) => matchers.some((one) => one.match(path));
}

function rootsOf(patterns: readonly string[]): readonly OutputRoot[] {
  return OUTPUT_ROOTS.filter((root) =>
    patterns.some((pattern) => {
      const first = pattern.split("/")[0] ?? "";
      return first === root || /[*?[]/.test(first);
    }),
  );
}

function outside(glob: string): Diagnostic {
  return {
    code: "glob.outside",
    severity: "warning",
    message: `The glob ${JSON.stringify(glob)} leads out of the workspace, so it matches nothing.`,
    hint: 'Globs are relative to the workspace\'s root: "out/**", "$WORK_DIR/*.csv".',
  };
}

function invalid(glob: string, why: string): SkillError {
  const shown = JSON.stringify(glob.slice(0, 200));
  return new SkillError(
    "INPUT_INVALID",
    `The glob ${shown} cannot be used: ${why}. Write it like "out/**" or "out/*.{csv,md}".`,
    { details: { glob: glob.slice(0, MAX_LENGTH) } },
  );
}
