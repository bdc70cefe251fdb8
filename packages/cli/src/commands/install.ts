import { resolve } from "node:path";
import { type InstallResult, type LockFile, lockFileOf, sourceClients } from "@skillwright/config";
import { SkillError } from "@skillwright/core";
import type { Command } from "commander";
import type { CliContext } from "../cli-context.js";
import { installLocked } from "../install/install-locked.js";
import { installedJson, installedTotals } from "../install/installed-text.js";
import { lockSource } from "../lock/lock-source.js";
import { mustBeFound, type ProjectLock, readProjectLock, writeProjectLock } from "../lock/project-lock.js";
import { diagnosticLines } from "../terminal/diagnostic-lines.js";
import type { CommandOutcome } from "./command-outcome.js";
import {
  allowErrorsOption,
  allowWarningsOption,
  installedOption,
  jsonOption,
  lockOption,
  skillNamesOption,
} from "./shared-options.js";

interface InstallFlags {
  readonly skill?: readonly string[];
  readonly to: string;
  readonly lock?: string;
  readonly frozen?: true;
  readonly force?: true;
  readonly allowErrors?: true;
  readonly allowWarnings?: true;
  readonly json?: true;
}

export function addInstallCommand(program: Command, context: CliContext, outcome: CommandOutcome): void {
  program
    .command("install")
    .summary("install the skills of the lock file, or of a source")
    .description(
      "Copies skills into a folder of the project. Each skill is copied atomically and checked against its digest. It is validated and linted first; a skill with errors or security warnings is refused. If a source is given, its skills are locked first. A skill that was not installed by this command, or was edited since, is not replaced.",
    )
    .argument("[source]", "the source of the skills, as for lock (default: the sources in the lock file)")
    .addOption(skillNamesOption())
    .addOption(installedOption())
    .addOption(lockOption())
    .option("--frozen", "change neither the lock file nor installed skills; fail if they do not match")
    .option("--force", "also replace skills that were edited or not installed by this command")
    .addOption(allowWarningsOption())
    .addOption(allowErrorsOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      [
        "",
        "  skillwright install --frozen",
        "  skillwright install s3://team-skills/released --skill pdf",
      ].join("\n"),
    )
    .action(async (source: string | undefined, flags: InstallFlags) => {
      outcome.exitCode = (await install(source, flags, context)) ? 0 : 1;
    });
}

async function install(
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
    if (source === undefined) mustBeFound(project);
    const added =
      source === undefined ? undefined : await addSource(source, names, project, clients, context);
    const lock = added?.lock ?? project.lock;
    const chosen = added?.names ?? names;
    const allowed = { errors: flags.allowErrors === true, warnings: flags.allowWarnings === true };
    const options = { to, directory: project.directory, names: chosen, frozen, force, allowed, clients };
    const results = await installLocked(lock, options, context);
    if (added) await forgetRefused(project, lock, results);
    const directory = resolve(context.cwd, to);
    if (json)
      context.print(
        JSON.stringify({ formatVersion: 1, directory, skills: installedJson(results) }, undefined, 2),
      );
    else context.print(installedTotals(results, directory, context));
    return results.every(({ state }) => state !== "failed");
  } finally {
    await clients.close();
  }
}

/** Locks the source's skills, in addition to those already locked. */
async function addSource(
  source: string,
  names: readonly string[] | undefined,
  project: ProjectLock,
  clients: ReturnType<typeof sourceClients>,
  context: CliContext,
) {
  const { entries, diagnostics } = await lockSource(source, names, { lock: project, clients, context });
  // For a named skill, its own errors are reported; for a whole source, the skills that are not installed.
  if (!names) context.remark(...diagnostics.flatMap((found) => diagnosticLines(found, context.errorStyle)));
  const lock = lockFileOf([...Object.entries(project.lock.skills), ...entries]);
  await writeProjectLock(project, lock);
  return { lock, names: entries.map(([name]) => name) };
}

/** A skill refused for its content does not stay locked, unless it was locked before. */
async function forgetRefused(
  project: ProjectLock,
  lock: LockFile,
  results: readonly InstallResult[],
): Promise<void> {
  const refused = new Set(
    results
      .filter(({ error }) => error?.code === "REFUSED" || error?.code === "SKILL_INVALID")
      .map(({ name }) => name),
  );
  if (refused.size === 0) return;
  const before = Object.entries(project.lock.skills).filter(([name]) => refused.has(name));
  const kept = Object.entries(lock.skills).filter(([name]) => !refused.has(name));
  await writeProjectLock(project, lockFileOf([...kept, ...before]));
}

function frozenWith(other: string): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `--frozen cannot be combined with ${other}, because it changes nothing. Leave one of them out.`,
  );
}
