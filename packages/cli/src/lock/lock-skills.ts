import { sourceClients } from "@skillwright/config";
import { SkillError } from "@skillwright/core";
import type { CliContext } from "../cli-context.js";
import { failedJson, failedLine } from "../install/installed-text.js";
import type { NotLocked } from "./lock-each.js";
import { type LockedSource, lockSource } from "./lock-source.js";
import { lockText } from "./lock-text.js";
import { changeProjectLock, readProjectLock } from "./project-lock.js";

export interface LockFlags {
  readonly skill?: readonly string[];
  readonly lock?: string;
  readonly json?: true;
}

/** Returns false if a skill could not be locked; the file then keeps the earlier entry of that skill. */
export async function lockSkills(
  sources: readonly string[],
  { skill: names, lock: path, json }: LockFlags,
  context: CliContext,
): Promise<boolean> {
  const project = await readProjectLock(path, context);
  const clients = sourceClients(context.env);
  try {
    const locked: LockedSource[] = [];
    for (const source of sources)
      locked.push(await lockSource(source, names, { lock: project, clients, context }));
    const twice = inSeveral(locked);
    const failed = [...locked.flatMap((one) => one.failed), ...twice.values()];
    const isKept = (name: string) => names !== undefined || failed.some((one) => one.name === name);
    const diagnostics = locked.flatMap((one) => [...one.inside, ...one.diagnostics]);
    const { before, after, changed } = await changeProjectLock(project, (skills) => [
      ...Object.entries(skills).filter(
        ([name, entry]) => isKept(name) || locked.every(({ source }) => source !== entry.source),
      ),
      ...locked.flatMap(({ entries }) => entries).filter(([name]) => !twice.has(name)),
    ]);
    if (json)
      context.print(
        JSON.stringify({ ...after, changed, diagnostics, failed: failedJson(failed) }, undefined, 2),
      );
    else context.print(...lockText({ path: project.path, before, after, diagnostics }, context));
    for (const one of failed) context.remark(failedLine(one, context.errorStyle));
    return failed.length === 0;
  } finally {
    await clients.close();
  }
}

/** The skills that several of the sources have, of which the lock file can hold one. */
function inSeveral(locked: readonly LockedSource[]): ReadonlyMap<string, NotLocked> {
  const names = new Set(locked.flatMap(({ entries }) => entries.map(([name]) => name)));
  const errors = new Map<string, NotLocked>();
  for (const name of names) {
    const having = locked.filter(({ entries }) => entries.some(([one]) => one === name));
    const sources = [...new Set(having.map(({ source }) => source))];
    if (sources.length < 2) continue;
    const message = `The skill "${name}" is in ${sources.join(" and in ")}, and a lock file has one source for each skill. Lock these sources one after another, with --skill for the skills that you want of each.`;
    errors.set(name, { name, error: new SkillError("CONFLICT", message, { details: { skill: name } }) });
  }
  return errors;
}
