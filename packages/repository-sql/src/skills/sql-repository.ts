import type { CallOptions, RestorableSkillRepository, VersionedSkillRepository } from "@skillwright/core";
import { type SkillRuleOptions, skillRules, spanned } from "@skillwright/core/adapter";
import type { SqlDatabase } from "../database/sql-database.js";
import { readSkills } from "./read-skills.js";
import { writeSkills } from "./write-skills.js";

export interface SqlRepositoryOptions extends SkillRuleOptions {
  /** Stays open when the repository is closed. */
  readonly database: SqlDatabase;
  /** Separates repositories in one database. Defaults to `skills`. */
  readonly name?: string | undefined;
}

export interface SqlRepository extends RestorableSkillRepository, VersionedSkillRepository {
  /** Removes the skill of that name with all its versions and deletions. Returns `false` when there was nothing. */
  purge(name: string, options?: CallOptions): Promise<boolean>;
}

/**
 * Skills in a SQL database, with all their versions, for any number of processes. A listing is one query, an upload one
 * transaction, and concurrent uploads to one repository take turns. Nothing is cached outside the database, so a change by
 * another process is visible at once and `refresh` does nothing. Files are stored in rows of 256 KiB and read row by row.
 * The 32 most recently deleted skills can be restored. `limits` and `leaveOut` apply when a skill is stored.
 * @throws SkillError `CONFIG_INVALID` for limits that are not whole numbers; `BACKEND_FAILED`, from every call, where the
 * database fails; `CLOSED` where it was closed.
 */
export function sqlRepository({
  database,
  name = "skills",
  ...options
}: SqlRepositoryOptions): SqlRepository {
  const place = { database, repository: name, rules: skillRules(options) };
  async function close(): Promise<void> {}
  const repository: SqlRepository = {
    label: `${database.label} ${name}`,
    ...readSkills(place),
    ...writeSkills(place),
    close,
    [Symbol.asyncDispose]: close,
  };
  return spanned("repository", repository, { repository: "sql" });
}
