import { SkillError } from "@skillwright/core";
import { checkAborted, isSummary, uploadedSkill } from "@skillwright/core/adapter";
import { call } from "../call.js";
import { contentWriter } from "../content/content-writer.js";
import { collectUpload } from "./collect-upload.js";
import { addDeletion, findDeletion, removeDeletion } from "./deletions.js";
import { readFileSet } from "./file-set.js";
import { entryOf, findRow, locateSkill } from "./find-skill.js";
import { isTaken } from "./folder-queries.js";
import { purgeSkill } from "./purge-skill.js";
import { type LockedRepository, putFolder } from "./put-folder.js";
import type { SkillsPlace } from "./read-skills.js";
import type { SqlRepository } from "./sql-repository.js";

export function writeSkills({
  database,
  repository,
  rules,
}: SkillsPlace): Pick<SqlRepository, "upload" | "delete" | "restore" | "purge"> {
  const label = `${database.label} ${repository}`;

  const upload: SqlRepository["upload"] = async (files, { existing = "replace", signal } = {}) => {
    checkAborted(signal);
    const writer = contentWriter(database);
    const { name, uploaded } = await writer.orDiscard(async () => {
      const collected = await collectUpload(files, { writer, rules, signal });
      const parsed = uploadedSkill(collected.skillFile);
      checkAborted(signal);
      return { name: parsed.name, uploaded: collected.files };
    });
    return await writer.orDiscard(() =>
      locked(async (place) => {
        const path = await pathForUpload(place, name, existing);
        await putFolder(place, path, uploaded);
        return (await locateSkill({ ...place, label }, name)).skill;
      }),
    );
  };

  const remove: SqlRepository["delete"] = (name, { signal } = {}) =>
    call(signal, () =>
      locked(async (place) => {
        const row = await findRow(place, name);
        if (!row) return false;
        const found = entryOf(row);
        await addDeletion(place, isSummary(found) ? found.name : found.path, found.path);
        await putFolder(place, found.path, new Map());
        return true;
      }),
    );

  const restore: SqlRepository["restore"] = (name, { deletedAt, signal } = {}) =>
    call(signal, () =>
      locked(async (place) => {
        const deletion = await findDeletion(place, name, deletedAt);
        const { path, files } = deletion;
        if ((await findRow(place, name)) || (await isTaken(place, path))) throw exists(name);
        await putFolder(place, path, await readFileSet(place.connection, files));
        await removeDeletion(place, deletion);
        return (await locateSkill({ ...place, label }, name)).skill;
      }),
    );

  const purge: SqlRepository["purge"] = (name, { signal } = {}) =>
    call(signal, () => locked((place) => purgeSkill(place, name)));

  return { upload, delete: remove, restore, purge };

  /** Locks the repository's row until the end of the transaction, so that writers to one repository take turns. */
  async function locked<T>(work: (place: LockedRepository) => Promise<T>): Promise<T> {
    return await database.transaction(async (connection) => {
      await connection.query(
        `INSERT INTO skillwright_repository (name, revision) VALUES (?, 1)
          ON CONFLICT (name) DO UPDATE SET revision = skillwright_repository.revision + 1`,
        [repository],
      );
      return await work({ connection, repository, rules });
    });
  }
}

/** Returns the path of the skill with that name; for a new skill a folder of its name, unless the folder is in use. */
async function pathForUpload(
  place: LockedRepository,
  name: string,
  existing: "replace" | "refuse",
): Promise<string> {
  const row = await findRow(place, name);
  const found = row && entryOf(row);
  const isOther = found ? isSummary(found) && found.name !== name : await isTaken(place, name);
  if (isOther || (found && existing === "refuse")) throw exists(name);
  return found?.path ?? name;
}

function exists(name: string): SkillError {
  const message = `A skill or folder "${name}" already exists. Delete it first, or allow it to be replaced.`;
  return new SkillError("SKILL_EXISTS", message);
}
