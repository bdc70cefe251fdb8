import type { BrokenSkill, Skill } from "@skillwright/core";
import { invalidSkill, isSummary, skillNotFound } from "@skillwright/core/adapter";
import type { SqlConnection, SqlRow } from "../database/sql-database.js";
import { textKey } from "../text-key.js";
import type { FilePlace } from "./file-set.js";

export interface FoundPlace {
  readonly connection: SqlConnection;
  readonly repository: string;
  /** For messages. */
  readonly label: string;
}

export interface LocatedSkill {
  readonly skill: Skill;
  readonly files: FilePlace;
}

/** Finds the current skill by name, the one with the first path if there are several, otherwise by path. */
export async function findRow(
  { connection, repository }: Pick<FoundPlace, "connection" | "repository">,
  name: string,
): Promise<SqlRow | undefined> {
  const key = textKey(name);
  const [row] = await connection.query(
    `SELECT s.name, s.path, s.summary, v.contents, v.file_set, v.inside
      FROM skillwright_skill s LEFT JOIN skillwright_version v
        ON v.repository = s.repository AND v.name = s.name AND v.version = s.version
      WHERE s.repository = ? AND (s.name = ? OR s.path = ?)
      ORDER BY CASE WHEN s.name = ? THEN 0 ELSE 1 END, s.path LIMIT 1`,
    [repository, key, key, key],
  );
  return row;
}

export function entryOf(row: SqlRow): Skill | BrokenSkill {
  const contents = row["contents"];
  return {
    ...JSON.parse(String(row["summary"])),
    ...(typeof contents === "string" && JSON.parse(contents)),
  };
}

/** @throws SkillError `SKILL_NOT_FOUND`, `SKILL_INVALID`. */
export async function locateSkill(place: FoundPlace, name: string, version?: string): Promise<LocatedSkill> {
  const current = await findRow(place, name);
  const row = version === undefined ? current : await versionRow(place, current?.["name"] ?? name, version);
  if (!row) throw notFound(name, version, place.label);
  const skill = entryOf(row);
  if (!isSummary(skill)) throw invalidSkill(skill);
  return { skill, files: { fileSet: String(row["file_set"]), inside: String(row["inside"]) } };
}

async function versionRow(
  { connection, repository }: FoundPlace,
  name: unknown,
  version: string,
): Promise<SqlRow | undefined> {
  const [row] = await connection.query(
    `SELECT summary, contents, file_set, inside FROM skillwright_version
      WHERE repository = ? AND name = ? AND (digest = ? OR CAST(version AS TEXT) = ?)
      ORDER BY version DESC LIMIT 1`,
    [repository, textKey(String(name)), textKey(version), textKey(version)],
  );
  return row;
}

function notFound(
  name: string,
  version: string | undefined,
  label: string,
): ReturnType<typeof skillNotFound> {
  const what =
    version === undefined ? `no skill "${name}"` : `no version "${version}" of the skill "${name}"`;
  return skillNotFound(what, label);
}
