import type { DatabaseSync } from "node:sqlite";
import {
  type BrokenSkill,
  byteStream,
  containedPath,
  type Skill,
  SkillError,
  type WritableSkillRepository,
} from "@skillwright/core";
import { checkAborted, uploadedSkill } from "@skillwright/core/adapter";
import { asked, inTransaction } from "./in-transaction.ts";
import { skillTables } from "./skill-tables.ts";
import { uploadedFiles } from "./uploaded-files.ts";

export interface SqliteRepositoryOptions {
  /** The result of `openDatabase`. It stays open when the repository is closed; the caller closes it. */
  readonly database: DatabaseSync;
}

/**
 * Skills in a SQLite database. A listing is one query of one table, an upload one transaction. Nothing is cached
 * outside the database, so a change by another process is visible at once and `refresh` does nothing. A file is read
 * completely when it is opened, at most the 16 MiB of a skill. Only the newest version of a skill is kept.
 * @throws SkillError `BACKEND_FAILED`, from every call, if SQLite fails or another process writes for over 5 s.
 */
export function sqliteRepository({ database }: SqliteRepositoryOptions): WritableSkillRepository {
  const tables = asked("Reading the tables of skills", () => skillTables(database));

  const list: WritableSkillRepository["list"] = async ({ signal } = {}) => {
    checkAborted(signal);
    return asked("Listing skills", () => ({
      skills: tables.skills(),
      broken: tables.broken(),
      diagnostics: [],
    }));
  };

  const load: WritableSkillRepository["load"] = async (name, { signal, version } = {}) => {
    checkAborted(signal);
    return asked(`Loading "${name}"`, () => usable(located(name, version)));
  };

  const open: WritableSkillRepository["open"] = async (name, path, { signal, version } = {}) => {
    checkAborted(signal);
    containedPath(path);
    const content = asked(`Opening "${path}" of "${name}"`, () =>
      tables.content(`${located(name, version).path}/${path}`),
    );
    if (!content) throw new SkillError("FILE_NOT_FOUND", `The skill "${name}" has no file "${path}".`);
    return byteStream(content);
  };

  const refresh: WritableSkillRepository["refresh"] = async ({ signal } = {}) => checkAborted(signal);

  const upload: WritableSkillRepository["upload"] = async (files, { existing = "replace", signal } = {}) => {
    checkAborted(signal);
    const stored = await uploadedFiles(files, signal);
    const { name } = uploadedSkill(stored.get("SKILL.md")?.bytes);
    return asked(`Storing "${name}"`, () =>
      inTransaction(database, () => {
        const path = pathForUpload(name, existing);
        tables.putFolder(path, stored);
        return usable(located(path));
      }),
    );
  };

  const remove: WritableSkillRepository["delete"] = async (name, { signal } = {}) => {
    checkAborted(signal);
    return asked(`Deleting "${name}"`, () =>
      inTransaction(database, () => {
        const found = tables.find(name);
        if (found) tables.putFolder(found.path, new Map());
        return found !== undefined;
      }),
    );
  };

  async function close(): Promise<void> {}

  return {
    label: "sqlite",
    list,
    load,
    open,
    refresh,
    upload,
    delete: remove,
    close,
    [Symbol.asyncDispose]: close,
  };

  function located(name: string, version?: string): Skill | BrokenSkill {
    const found = version === undefined ? tables.find(name) : undefined;
    if (!found) throw notFound(name, version);
    return found;
  }

  /** The path of the skill of that name, otherwise a directory of its name, unless that contains something else. */
  function pathForUpload(name: string, existing: "replace" | "refuse"): string {
    const found = tables.find(name);
    const otherSkill = found !== undefined && "manifest" in found && found.name !== name;
    const otherFolder = found === undefined && tables.hasFolder(name);
    if (otherSkill || otherFolder || (found && existing === "refuse")) throw exists(name);
    return found?.path ?? name;
  }
}

function usable(found: Skill | BrokenSkill): Skill {
  if ("manifest" in found) return found;
  const { path, diagnostics } = found;
  const reason = diagnostics.find(({ severity }) => severity === "error");
  const message = `The skill at "${path}" cannot be used. ${reason?.message ?? ""} ${reason?.hint ?? ""}`;
  throw new SkillError("SKILL_INVALID", message.trim(), { details: { diagnostics } });
}

function notFound(name: string, version: string | undefined): SkillError {
  const what =
    version === undefined ? `no skill "${name}"` : `no version "${version}" of the skill "${name}"`;
  return new SkillError("SKILL_NOT_FOUND", `There is ${what} in the database. List it to see what is there.`);
}

function exists(name: string): SkillError {
  const message = `A skill or folder "${name}" is there already. Delete it first, or allow it to be replaced.`;
  return new SkillError("SKILL_EXISTS", message);
}
