import { sourceClients } from "@skillwright/config";
import type { CliContext } from "../cli-context.js";
import { failedJson, failedLine } from "../install/installed-text.js";
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
    const failed = locked.flatMap((one) => one.failed);
    const isKept = (name: string) => names !== undefined || failed.some((one) => one.name === name);
    const diagnostics = locked.flatMap((one) => [...one.inside, ...one.diagnostics]);
    const { before, after, changed } = await changeProjectLock(project, (skills) => [
      ...Object.entries(skills).filter(
        ([name, entry]) => isKept(name) || locked.every(({ source }) => source !== entry.source),
      ),
      ...locked.flatMap(({ entries }) => entries),
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
