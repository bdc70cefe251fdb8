import { resolve } from "node:path";
import { type LockedSkill, lockFileOf, type SourceClients, sourceClients } from "@skillwright/config";
import { SkillError } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import type { CliContext } from "../cli-context.js";
import { lockEach, type NotLocked } from "../lock/lock-each.js";
import { lockText } from "../lock/lock-text.js";
import { openLockedSource } from "../lock/locked-source.js";
import { mustBeFound, type ProjectLock, readProjectLock } from "../lock/project-lock.js";
import { installAndLock } from "./install-and-lock.js";
import { failedJson, failedLine, installedJson, installedTotals } from "./installed-text.js";

export interface UpdateFlags {
  readonly to: string;
  readonly lock?: string;
  readonly check?: true;
  readonly force?: true;
  readonly allowErrors?: true;
  readonly allowWarnings?: true;
  readonly json?: true;
}

/** Returns false where a skill could not be installed and, with `check`, where there is a newer version. */
export async function updateSkills(
  names: readonly string[],
  flags: UpdateFlags,
  context: CliContext,
): Promise<boolean> {
  const { to, check, force = false, json } = flags;
  const project = await readProjectLock(flags.lock, context);
  mustBeFound(project);
  const clients = sourceClients(context.env);
  try {
    const { entries: newest, failed } = await newestOf(chosen(names, project), project, clients, context);
    for (const one of failed) context.remark(failedLine(one, context.errorStyle));
    if (check) {
      const before = project.lock;
      const after = lockFileOf([...Object.entries(before.skills), ...newest]);
      const changed = newest.filter(([name, { digest }]) => before.skills[name]?.digest !== digest);
      if (json)
        context.printJson({
          skills: after.skills,
          newer: changed.map(([name]) => name),
          failed: failedJson(failed),
        });
      else context.print(...lockText({ path: project.path, before, after, diagnostics: [] }, context));
      return changed.length === 0 && failed.length === 0;
    }
    const allowed = { errors: flags.allowErrors === true, warnings: flags.allowWarnings === true };
    const options = { to, force, allowed, clients };
    const { results, change } = await installAndLock(lockFileOf(newest), project, options, context);
    if (!json) context.print(...lockText({ path: project.path, ...change, diagnostics: [] }, context));
    if (json) context.printJson({ skills: installedJson(results, failed) });
    else context.print(installedTotals(results, failed, resolve(context.cwd, to), context));
    return failed.length === 0 && results.every(({ state }) => state !== "failed");
  } finally {
    await clients.close();
  }
}

function chosen(names: readonly string[], { lock, path }: ProjectLock): [string, LockedSkill][] {
  const unknown = names.find((name) => !Object.hasOwn(lock.skills, name));
  if (unknown === undefined)
    return Object.entries(lock.skills).filter(([name]) => names.length === 0 || names.includes(name));
  const known = Object.keys(lock.skills).join(", ") || "none";
  throw new SkillError(
    "SKILL_NOT_FOUND",
    `${path} has no skill ${JSON.stringify(unknown)}. It has: ${known}. A skill inside another one is updated with that one.`,
  );
}

/** Opens each source once. A source or a skill that cannot be read does not stop the others from being updated. */
async function newestOf(
  entries: readonly (readonly [string, LockedSkill])[],
  { directory }: ProjectLock,
  clients: SourceClients,
  { signal }: CliContext,
): Promise<Awaited<ReturnType<typeof lockEach>>> {
  const newest: (readonly [string, LockedSkill])[] = [];
  const failed: NotLocked[] = [];
  for (const source of new Set(entries.map(([, entry]) => entry.source))) {
    const names = entries.filter(([, entry]) => entry.source === source).map(([name]) => name);
    try {
      await using repository = await openLockedSource({ source }, directory, clients);
      const found = await lockEach(names, source, repository, { signal });
      newest.push(...found.entries);
      failed.push(...found.failed);
    } catch (error) {
      checkAborted(signal);
      const reason = SkillError.from(error, `Opening ${source}`);
      failed.push(...names.map((name) => ({ name, error: reason })));
    }
  }
  return { entries: newest, failed };
}
