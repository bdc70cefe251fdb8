import { readdir, realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ifThere } from "@skillwright/core/adapter";
import type { Configuration } from "../file/configuration.js";
import { listedSources } from "../sources/listed-sources.js";
import { withoutCredentials } from "../sources/skill-source.js";
import { inHome } from "./in-home.js";
import { packageSkills } from "./package-skills.js";
import {
  namedPlace,
  type SkillPlace,
  type StandardPlaceKind,
  skillPlace,
  unusedName,
  wasAsked,
} from "./skill-place.js";

type ConfiguredRepository = Configuration["skills"]["repositories"][number];

export interface StandardPlacesInput {
  /** Absolute. */
  readonly project: string;
  /** The user's home directory. Without it there are no user folders. */
  readonly home?: string | undefined;
  /** Named folders, relative to the project, and remote sources, highest precedence first. */
  readonly given?: readonly string[] | undefined;
  /** `SKILLS_ROOT`: folders and remote sources, separated as in PATH; a `:` inside a URL does not end it. */
  readonly skillsRoot?: string | undefined;
  /** Repositories of the configuration, highest precedence first. */
  readonly repositories?: readonly ConfiguredRepository[] | undefined;
  /** Folders that links in all places may lead to; `~/` is the home directory, others are absolute. Defaults to none. */
  readonly linkRoots?: readonly string[] | undefined;
  /** Skills that ship with the application. */
  readonly bundled?: string | undefined;
  /** Which kinds to include besides named places; absent includes all, empty none. */
  readonly kinds?: readonly StandardPlaceKind[] | undefined;
}

const FOLDERS = [".skillwright/skills", ".agents/skills", ".claude/skills"];
/** Folders of other clients, mentioned only where they exist. */
const OTHERS = [".openclaw/skills", ".clawdbot/skills", ".picobot/skills"];
const PLUGINS = ".skillwright/plugins";

/**
 * The places that are searched for skills, highest precedence first: given ones, `SKILLS_ROOT`, repositories of the
 * configuration, the project's folders, the user's (including skills installed by the command line), the `skills/` of
 * plugins in `.skillwright/plugins` of both, npm packages with skills, bundled skills. Named folders, and those of
 * project and user, are included with `found: false` where they do not exist, except those of OpenClaw and PicoBot. A
 * folder found twice is listed at its highest precedence, but the user's own folders never count as a project's.
 *
 * Links in the project's own folders may lead anywhere in the project, those in the user's to the other folders of the
 * user. A link into another place adds nothing, so that each skill is listed once.
 */
export async function standardPlaces(input: StandardPlacesInput): Promise<readonly SkillPlace[]> {
  const places: SkillPlace[] = [];
  const seen = new Set<string>();
  const names = new Set<string>();
  for (const candidate of await candidates(input)) {
    if (!wasAsked(candidate) && input.kinds?.includes(candidate.kind) === false) continue;
    const isElsewhere = candidate.remote !== undefined;
    const found = isElsewhere || (await isDirectory(candidate.root));
    // Remote sources are compared by their whole address, because `root` lacks its query. A folder that cannot be resolved is compared by its path.
    const identity =
      candidate.remote ??
      (found ? await realpath(candidate.root).catch(() => candidate.root) : candidate.root);
    if (seen.has(identity)) continue;
    seen.add(identity);
    const source = unusedName(candidate.source, names);
    names.add(source);
    places.push({ ...candidate, source, found });
  }
  const roots = places.filter(({ found, remote }) => found && remote === undefined).map(({ root }) => root);
  return places.map((place) => (place.remote === undefined ? withLinks(place, roots, input) : place));
}

function withLinks(place: SkillPlace, roots: readonly string[], input: StandardPlacesInput): SkillPlace {
  const { project, home, linkRoots = [] } = input;
  const own =
    place.kind === "user" && home !== undefined
      ? [...FOLDERS, ...OTHERS].map((folder) => join(home, folder))
      : place.kind === "project" || (place.kind === "plugin" && !place.trusted)
        ? [project]
        : [];
  return {
    ...place,
    linkRoots: [...own, ...linkRoots.map((path) => inHome(path, home))],
    listedRoots: roots.filter((root) => root !== place.root),
  };
}

async function candidates(input: StandardPlacesInput): Promise<SkillPlace[]> {
  const { project, home, given = [], skillsRoot = "", repositories = [], bundled } = input;
  const isHome = home !== undefined && resolve(home) === resolve(project);
  return [
    ...given.map((text) =>
      namedPlace("given", { name: `--skills ${withoutCredentials(text)}`, text, cwd: project }),
    ),
    ...listedSources(skillsRoot).map((text) =>
      namedPlace("environment", { name: `SKILLS_ROOT ${withoutCredentials(text)}`, text, cwd: project }),
    ),
    ...repositories.map(({ name, source, ...settings }) =>
      namedPlace("repository", { name: `repository ${name}`, text: inHome(source, home), ...settings }),
    ),
    ...(isHome ? [] : FOLDERS.map(ofProject)),
    ...(isHome ? [] : await existing(OTHERS.map(ofProject))),
    ...(home ? FOLDERS.map(ofUser(home)) : []),
    ...(home ? await existing(OTHERS.map(ofUser(home))) : []),
    ...(isHome ? [] : await pluginSkills(project, "project plugin", false)),
    ...(home ? await pluginSkills(home, "plugin", true) : []),
    ...(isHome ? [] : await packageSkills(project)),
    ...(bundled === undefined ? [] : [skillPlace("bundled", "bundled", resolve(bundled))]),
  ];

  function ofProject(folder: string): SkillPlace {
    return skillPlace("project", `project ${folder}`, join(project, folder), false);
  }
}

function ofUser(home: string): (folder: string) => SkillPlace {
  return (folder) => skillPlace("user", `home ~/${folder}`, join(home, folder));
}

async function pluginSkills(base: string, by: string, trusted: boolean): Promise<SkillPlace[]> {
  const folder = join(base, PLUGINS);
  let names: readonly string[];
  try {
    names = (await ifThere(readdir(folder))) ?? [];
  } catch {
    // Listing this place tells why the plugins in it are missing.
    return [skillPlace("plugin", by, folder, trusted)];
  }
  return await existing(
    names
      .filter((name) => !name.startsWith("."))
      .sort()
      .map((name) => skillPlace("plugin", `${by} ${name}`, join(folder, name, "skills"), trusted)),
  );
}

async function existing(places: readonly SkillPlace[]): Promise<SkillPlace[]> {
  const found = await Promise.all(places.map(({ root }) => isDirectory(root)));
  return places.filter((_, index) => found[index]);
}

/** Also true for a place that cannot be looked at: listing its skills reports the reason. */
async function isDirectory(path: string): Promise<boolean> {
  return await ifThere(stat(path)).then(
    (found) => found?.isDirectory() ?? false,
    () => true,
  );
}
