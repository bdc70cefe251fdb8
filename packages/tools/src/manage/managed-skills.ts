import {
  type JsonObject,
  type SkillCatalog,
  SkillError,
  type ToolContext,
  type WritableSkillCatalog,
} from "@skillwright/core";
import { isVisible, resolvedSkill } from "../skill/resolved-skill.js";
import { shortDescription } from "../skill/short-description.js";

const MAX_LISTED = 200;
const MAX_BODY_CHARACTERS = 256 * 1024;

/** Names, descriptions and scopes: at most 200, and the number of the others. */
export async function listedSkills(
  skills: SkillCatalog,
  scopes: ReadonlyMap<string, string>,
  context: ToolContext,
): Promise<JsonObject> {
  const all = (await skills.snapshot({ signal: context.signal })).skills.filter((skill) =>
    isVisible(skill, context),
  );
  const more = Math.max(0, all.length - MAX_LISTED);
  return {
    skills: all.slice(0, MAX_LISTED).map(({ name, description, source }) => ({
      name,
      description: shortDescription(description),
      ...place(source, scopes),
    })),
    ...(more > 0 ? { more } : {}),
  };
}

/** One full skill: description, body, files, digest. @throws SkillError as `resolvedSkill`. */
export async function shownSkill(
  skills: SkillCatalog,
  name: string,
  scopes: ReadonlyMap<string, string>,
  context: ToolContext,
): Promise<JsonObject> {
  const skill = await resolvedSkill(skills, name, context);
  const { description, source, body, manifest, digest } = skill;
  const cut = body.length > MAX_BODY_CHARACTERS ? { truncated: true } : {};
  return {
    name: skill.name,
    description,
    ...place(source, scopes),
    body: body.slice(0, MAX_BODY_CHARACTERS).replace(/[\ud800-\udbff]$/, ""),
    ...cut,
    files: manifest.files.map(({ path }) => path),
    digest,
  };
}

/** Versions of a skill, newest first, at most 200. @throws SkillError `UNSUPPORTED` where the repository keeps none. */
export async function earlierVersions(
  skills: WritableSkillCatalog,
  repository: string,
  name: string,
  { signal }: ToolContext,
): Promise<JsonObject[]> {
  const versions = await skills.versions(repository, name, { signal });
  if (versions.length > 0) return versions.slice(0, MAX_LISTED).map((version) => ({ ...version }));
  throw new SkillError("UNSUPPORTED", `"${repository}" keeps no versions of the skill "${name}".`);
}

/** The scope, or the source of a skill that no scope can change. */
function place(source: string, scopes: ReadonlyMap<string, string>): JsonObject {
  const scope = [...scopes].find(([, repository]) => repository === source)?.[0];
  return scope === undefined ? { source } : { scope };
}
