import { stat } from "node:fs/promises";
import { delimiter, join, relative, resolve } from "node:path";
import {
  type Configuration,
  type SkillPlaceKind,
  skillSource,
  withoutCredentials,
} from "@skillwright/config";

/** A folder with skills or a source elsewhere, and how far it is trusted. */
export interface SkillPlace {
  /** Names its source in the catalogue. */
  readonly source: string;
  /** Absolute; missing for a source elsewhere. */
  readonly root?: string;
  /** Where it is elsewhere: `s3://bucket/prefix` and the like. */
  readonly remote?: string;
  /** False for skills that came with a project: they ask before they run. */
  readonly trusted: boolean;
  /** True for the skills that ship with this agent. */
  readonly bundled: boolean;
}

export interface SkillPlacesInput {
  /** From `--skills`, strongest first: folders and sources elsewhere. */
  readonly given: readonly string[];
  /** `SKILLS_ROOT`: folders separated as in PATH. */
  readonly skillsRoot: string | undefined;
  readonly project: string;
  readonly home: string | undefined;
  readonly bundled: string;
  /** Which of the project's, the user's and the bundled places count, and the sources of the configuration. */
  readonly configured?: Pick<Configuration["skills"], "sources" | "repositories"> | undefined;
}

export interface SkillPlaces {
  /**
   * Strongest first: given, `SKILLS_ROOT`, of the configuration, the project's, the user's, bundled. Only folders that are
   * there.
   */
  readonly places: readonly SkillPlace[];
  /** Folders that were asked for and are not there. */
  readonly missing: readonly string[];
}

const FOLDERS = [".skillwright/skills", ".agents/skills", ".claude/skills"];

export async function skillPlaces(input: SkillPlacesInput): Promise<SkillPlaces> {
  const { project, home, configured } = input;
  const counts = (kind: SkillPlaceKind): boolean => configured?.sources?.includes(kind) ?? true;
  const fromRoot = (input.skillsRoot ?? "").split(delimiter).filter((path) => path !== "");
  const asked: SkillPlace[] = [
    ...input.given.map((text) => givenPlace(text, project)),
    ...fromRoot.map((path) => place(`SKILLS_ROOT ${path}`, resolve(project, path))),
    ...(configured?.repositories ?? []).map(configuredPlace),
  ];
  // In the home directory itself the user's own folders are no project's.
  const inProject = project === home || !counts("project") ? [] : FOLDERS;
  const found: SkillPlace[] = [
    ...inProject.map((folder) => ({ ...place(`project ${folder}`, join(project, folder)), trusted: false })),
    ...(home && counts("user") ? FOLDERS.map((folder) => place(`home ~/${folder}`, join(home, folder))) : []),
    ...(counts("bundled") ? [{ ...place("bundled", input.bundled), bundled: true }] : []),
  ];
  const places: SkillPlace[] = [];
  const missing: string[] = [];
  for (const one of [...asked, ...found]) {
    // A folder that is met twice counts where it is strongest.
    if (places.some(({ root, remote }) => root === one.root && remote === one.remote)) continue;
    if (one.root === undefined || (await isDirectory(one.root))) places.push(one);
    else if (asked.includes(one)) missing.push(relative(project, one.root) || one.root);
  }
  return { places, missing };
}

function givenPlace(text: string, project: string): SkillPlace {
  if (skillSource(text).kind === "folder") return place(`--skills ${text}`, resolve(project, text));
  return {
    source: sourceName(`--skills ${withoutCredentials(text)}`),
    remote: text,
    trusted: true,
    bundled: false,
  };
}

function configuredPlace({
  name,
  source,
  cwd,
  trusted,
}: Configuration["skills"]["repositories"][number]): SkillPlace {
  const read = skillSource(source);
  const where = read.kind === "folder" ? { root: resolve(cwd, read.path) } : { remote: source };
  return { source: sourceName(name), ...where, trusted, bundled: false };
}

function place(source: string, root: string): SkillPlace {
  return { source: sourceName(source), root, trusted: true, bundled: false };
}

function sourceName(text: string): string {
  return text.length > 64 ? `…${text.slice(-63)}` : text;
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
