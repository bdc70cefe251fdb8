import { resolve } from "node:path";
import { type InstallResult, lockFileOf, sourceClients } from "@skillwright/config";
import { SkillError } from "@skillwright/core";
import type { CliContext } from "../cli-context.js";
import type { NotLocked } from "../lock/lock-each.js";
import { lockSource } from "../lock/lock-source.js";
import { mustBeFound, type ProjectLock, readProjectLock } from "../lock/project-lock.js";
import { diagnosticLines } from "../terminal/diagnostic-lines.js";
import { installAndLock } from "./install-and-lock.js";
import { type InstallLockedOptions, installLocked } from "./install-locked.js";
import { failedLine, installedJson, installedTotals } from "./installed-text.js";

export interface InstallFlags {
  readonly skill?: readonly string[];
  readonly to: string;
  readonly lock?: string;
  readonly frozen?: true;
  readonly force?: true;
  readonly allowErrors?: true;
  readonly allowWarnings?: true;
  readonly json?: true;
}

/** Returns false where a skill could not be installed. */
export async function installSkills(
  source: string | undefined,
  flags: InstallFlags,
  context: CliContext,
): Promise<boolean> {
  const { skill: names, to, frozen = false, force = false, json } = flags;
  if (frozen && (source !== undefined || force))
    throw frozenWith(source === undefined ? "--force" : "a source");
  const project = await readProjectLock(flags.lock, context);
  const clients = sourceClients(context.env);
  try {
    const allowed = { errors: flags.allowErrors === true, warnings: flags.allowWarnings === true };
    const options = { to, force, allowed, clients };
    const { results, failed } =
      source === undefined
        ? { results: await installProject(project, { ...options, names, frozen }, context), failed: [] }
        : await installSource(source, names, project, options, context);
    const directory = resolve(context.cwd, to);
    if (json) context.printJson({ directory, skills: installedJson(results, failed) });
    else context.print(installedTotals(results, failed, directory, context));
    return failed.length === 0 && results.every(({ state }) => state !== "failed");
  } finally {
    await clients.close();
  }
}

async function installProject(
  project: ProjectLock,
  options: Omit<InstallLockedOptions, "directory">,
  context: CliContext,
): Promise<readonly InstallResult[]> {
  mustBeFound(project);
  return await installLocked(project.lock, { ...options, directory: project.directory }, context);
}

/** Locks the skills of the source that are installed, in addition to those already locked. */
async function installSource(
  source: string,
  names: readonly string[] | undefined,
  project: ProjectLock,
  options: Pick<InstallLockedOptions, "to" | "force" | "allowed" | "clients">,
  context: CliContext,
): Promise<{ readonly results: readonly InstallResult[]; readonly failed: readonly NotLocked[] }> {
  const { clients } = options;
  const locked = await lockSource(source, names, { lock: project, clients, context });
  // For a named skill, its own errors are reported; for a whole source, the skills that are not installed.
  const told = [...locked.inside, ...(names ? [] : locked.diagnostics)];
  context.remark(...told.flatMap((found) => diagnosticLines(found, context.errorStyle)));
  for (const one of locked.failed) context.remark(failedLine(one, context.errorStyle));
  const { results } = await installAndLock(lockFileOf(locked.entries), project, options, context);
  return { results, failed: locked.failed };
}

function frozenWith(other: string): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `--frozen cannot be combined with ${other}, because it changes nothing. Leave one of them out.`,
  );
}
