import { realpath, stat } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { type Configuration, skillSource, withoutCredentials } from "@skillwright/config";
import type { CliContext } from "../cli-context.js";

/** A folder with skills, and how far it is trusted. */
export interface SkillPlace {
  /** Names its source in the catalogue, at most 64 characters. */
  readonly source: string;
  /** Absolute; of a source elsewhere its text, as it may be shown. */
  readonly root: string;
  /** Where it is elsewhere: `s3://bucket/prefix` and the like. */
  readonly remote?: string;
  /** False for skills that came with a project. */
  readonly trusted: boolean;
  /** False where there is no such folder. */
  readonly found: boolean;
  /** True where somebody named the folder, by flag, variable or configuration. */
  readonly asked: boolean;
}

const FOLDERS = [".skillwright/skills", ".agents/skills", ".claude/skills"];

const LONGEST_NAME = 64;

/**
 * Where skills are looked for, strongest first: `--skills`, `SKILLS_ROOT` (folders separated as in PATH), the repositories of
 * the configuration, the project's folders, the same under the home directory, as far as the configuration counts them. A folder that is met twice stands where it is strongest, but the user's
 * own folders never count as a project's.
 */
export async function standardPlaces(
  context: Pick<CliContext, "cwd" | "env">,
  flags: readonly string[],
  { sources, repositories = [] }: Partial<Configuration["skills"]> = {},
): Promise<readonly SkillPlace[]> {
  const { cwd, env } = context;
  const home = env["HOME"] ?? env["USERPROFILE"];
  const roots = (env["SKILLS_ROOT"] ?? "").split(delimiter).filter((path) => path !== "");
  const isAtHome = home !== undefined && resolve(home) === cwd;
  const inProject = isAtHome || sources?.includes("project") === false ? [] : FOLDERS;
  const inHome = home === undefined || sources?.includes("user") === false ? [] : FOLDERS;
  const candidates = [
    ...flags.map((path) => place("--skills", path, resolve(cwd, path), { asked: true })),
    ...roots.map((path) => place("SKILLS_ROOT", path, resolve(cwd, path), { asked: true })),
    ...repositories.map(configuredPlace),
    ...inProject.map((folder) => place("project", folder, join(cwd, folder), { trusted: false })),
    ...inHome.map((folder) => place("home", `~/${folder}`, resolve(home ?? cwd, folder))),
  ];
  const places: SkillPlace[] = [];
  const seen = new Set<string>();
  for (const candidate of candidates) {
    const found = candidate.remote !== undefined || (await isDirectory(candidate.root));
    const identity =
      found && candidate.remote === undefined ? await realpath(candidate.root) : candidate.root;
    if (seen.has(identity)) continue;
    seen.add(identity);
    places.push({ ...candidate, found });
  }
  return places;
}

function configuredPlace({
  name,
  source,
  cwd,
  trusted,
}: Configuration["skills"]["repositories"][number]): SkillPlace {
  const read = skillSource(source);
  const where =
    read.kind === "folder"
      ? { root: resolve(cwd, read.path) }
      : { root: withoutCredentials(source), remote: source };
  return { ...place("repository", name, where.root), ...where, trusted, asked: true };
}

function place(by: string, path: string, root: string, rest: Partial<SkillPlace> = {}): SkillPlace {
  return { source: sourceName(by, path), root, trusted: true, found: false, asked: false, ...rest };
}

/** As long as a source's name may be: of a long path its end, by which one knows it. */
function sourceName(by: string, path: string): string {
  const most = LONGEST_NAME - by.length - 1;
  const letters = [...path];
  return `${by} ${letters.length > most ? `…${letters.slice(1 - most).join("")}` : path}`;
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
