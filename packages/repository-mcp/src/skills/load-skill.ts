import { isDeepStrictEqual } from "node:util";
import { type ParsedSkill, type Skill, SkillError } from "@skillwright/core";
import { deepFreeze, invalidSkill, parseLoadedSkill, skillFileOf } from "@skillwright/core/adapter";
import type { ServerConnection } from "../server/server-connection.js";
import type { OfferedSkill } from "./offered-skill.js";
import { readFile } from "./read-file.js";

/**
 * Reads SKILL.md, and no other file.
 * @throws SkillError `SKILL_INVALID` where its header is not the one that was listed, which is all that a person has seen of it;
 * as `readFile`.
 */
export async function loadSkill(
  connection: ServerConnection,
  { summary, folder, manifest }: OfferedSkill,
  signal: AbortSignal | undefined,
): Promise<Skill> {
  const file = skillFileOf(folder);
  if (!file) throw invalidSkill({ path: folder.path, diagnostics: [] });
  const content = await readFile(connection, file, summary.name, signal);
  const { skill, diagnostics } = parseLoadedSkill(content, { directoryName: folder.name });
  if (!skill) throw invalidSkill({ path: folder.path, diagnostics });
  const field = differentField(skill, summary);
  if (field !== undefined) throw otherHeader(summary.name, field);
  return deepFreeze({
    ...summary,
    diagnostics: [...diagnostics, ...folder.diagnostics],
    body: skill.body,
    manifest,
  });
}

function differentField(
  { name, frontmatter: own }: ParsedSkill,
  { name: listedName, frontmatter: listed }: OfferedSkill["summary"],
): string | undefined {
  if (name !== listedName) return "name";
  const fields = new Set([...Object.keys(own), ...Object.keys(listed)]);
  return [...fields].find((field) => !isDeepStrictEqual(own[field], listed[field]));
}

function otherHeader(skill: string, field: string): SkillError {
  return new SkillError(
    "SKILL_INVALID",
    `The field ${JSON.stringify(field.slice(0, 60))} in the SKILL.md of "${skill}" is not the one that the server listed, so the skill is not used. Ask whoever runs the server to mend it.`,
  );
}
