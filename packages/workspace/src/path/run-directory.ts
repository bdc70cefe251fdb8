import { containedPath, SkillError } from "@skillwright/core";
import { SKILL_LINKS } from "@skillwright/core/adapter";
import { ALLOWED_ROOTS, locatePath, outsideWorkspace, type PathContext } from "./locate-path.js";
import { isBelowLayout, withInputsAlias } from "./workspace-path.js";

/** The properties of a skill that determine where its commands run. */
export interface RunSkill {
  readonly name: string;
  /** Paths of its files. */
  readonly files: readonly string[];
}

/**
 * Resolves the directory in which a command starts, relative to the workspace's root. Plain paths are relative to the
 * skill's directory, or to the root without a skill. `..` is supported, but a path that leaves its base is refused;
 * other systems silently fall back to the skill's directory.
 * @throws SkillError `PATH_OUTSIDE` naming the allowed roots, `PATH_INVALID`; `FILE_NOT_FOUND` for a directory the
 * skill does not have.
 */
export function runDirectory(
  cwd: string | undefined,
  skill: RunSkill | undefined,
  context: PathContext,
): string {
  const home = skill ? `skills/${skill.name}` : ".";
  const written = cwd?.trim() ?? "";
  if (written === "") return home;
  const { base, rest } = locatePath(written, context) ?? { base: home, rest: written.replaceAll("\\", "/") };
  const path = resolved(base, rest);
  if (path === undefined) throw leavesBase(written, base);
  if (path === ".") return path;
  containedPath(path);
  const shared = skill ? throughSkillLink(path, skill) : withInputsAlias(path);
  if (!isBelowLayout(shared)) throw outsideWorkspace(written);
  if (skill) checkSkillDirectory(shared, skill);
  return shared;
}

/** Returns `undefined` where `..` leads out of the base. */
function resolved(base: string, rest: string): string | undefined {
  const parts: string[] = [];
  for (const part of rest.split("/"))
    if (part === "..") {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== "" && part !== ".") parts.push(part);
  if (base !== ".") parts.unshift(base);
  return parts.length === 0 ? "." : parts.join("/");
}

function leavesBase(written: string, base: string): SkillError {
  const from = base === "." ? "the workspace" : base;
  return new SkillError(
    "PATH_OUTSIDE",
    `The directory ${JSON.stringify(written.slice(0, 200))} is outside ${from}. Give one below it, or one of ` +
      `${ALLOWED_ROOTS} such as $WORK_DIR/x or /out/x.`,
    { details: { path: written.slice(0, 1024), base } },
  );
}

/** `skills/x/out/y` is `out/y`, through the link that every staged skill has, unless the skill has its own `out`. */
function throughSkillLink(path: string, skill: RunSkill): string {
  const inside = insideSkill(path, skill);
  const [first = "", ...rest] = inside?.split("/") ?? [];
  if (!Object.hasOwn(SKILL_LINKS, first) || skill.files.some((file) => file.split("/")[0] === first))
    return path;
  return [first === "inputs" ? "work/inputs" : first, ...rest].join("/");
}

function checkSkillDirectory(path: string, skill: RunSkill): void {
  const inside = insideSkill(path, skill);
  if (inside === undefined || skill.files.some((file) => file.startsWith(`${inside}/`))) return;
  const shown = JSON.stringify(inside.slice(0, 200));
  if (skill.files.includes(inside))
    throw new SkillError(
      "PATH_INVALID",
      `${shown} is a file of the skill "${skill.name}". Give a directory to run in.`,
    );
  const directories = [...new Set(skill.files.flatMap((file) => file.split("/").slice(0, -1)[0] ?? []))];
  const known = directories.length > 0 ? `It has ${directories.slice(0, 10).join(", ")}.` : "It has none.";
  throw new SkillError(
    "FILE_NOT_FOUND",
    `The skill "${skill.name}" has no directory ${shown}. ${known} Leave cwd out to run in the skill's own directory.`,
    { details: { path } },
  );
}

function insideSkill(path: string, skill: RunSkill): string | undefined {
  const home = `skills/${skill.name}/`;
  return path.startsWith(home) ? path.slice(home.length) : undefined;
}
