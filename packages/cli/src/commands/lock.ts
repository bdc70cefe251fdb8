import { sourceClients } from "@skillwright/config";
import type { Command } from "commander";
import type { CliContext } from "../cli-context.js";
import { type LockedSource, lockSource } from "../lock/lock-source.js";
import { lockText } from "../lock/lock-text.js";
import { changeProjectLock, readProjectLock } from "../lock/project-lock.js";
import { jsonOption, lockOption, skillNamesOption } from "./shared-options.js";

interface LockFlags {
  readonly skill?: readonly string[];
  readonly lock?: string;
  readonly json?: true;
}

export function addLockCommand(program: Command, context: CliContext): void {
  program
    .command("lock")
    .summary("record the exact version of each skill in the lock file")
    .description(
      "Writes the name, source, version and digest of each skill of a source into skills.lock.json. Nothing is installed. Skills that the source no longer has are removed from the file, unless --skill is given.",
    )
    .argument(
      "<source...>",
      "a folder, an archive such as one.skill, s3://bucket/prefix, git+https://host/path#ref:folder or an https address",
    )
    .addOption(skillNamesOption())
    .addOption(lockOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      [
        "",
        "  skillwright lock s3://team-skills/released",
        "  skillwright lock git+https://example.com/team/skills.git#v2:skills --skill pdf",
      ].join("\n"),
    )
    .action((sources: readonly string[], flags: LockFlags) => lock(sources, flags, context));
}

async function lock(
  sources: readonly string[],
  { skill: names, lock: path, json }: LockFlags,
  context: CliContext,
): Promise<void> {
  const project = await readProjectLock(path, context);
  const clients = sourceClients(context.env);
  try {
    const locked: LockedSource[] = [];
    for (const source of sources)
      locked.push(await lockSource(source, names, { lock: project, clients, context }));
    const diagnostics = locked.flatMap((one) => [...one.inside, ...one.diagnostics]);
    const { before, after, changed } = await changeProjectLock(project, (skills) => [
      ...Object.entries(skills).filter(
        ([, entry]) => names !== undefined || locked.every(({ source }) => source !== entry.source),
      ),
      ...locked.flatMap(({ entries }) => entries),
    ]);
    if (json) context.print(JSON.stringify({ ...after, changed, diagnostics }, undefined, 2));
    else context.print(...lockText({ path: project.path, before, after, diagnostics }, context));
  } finally {
    await clients.close();
  }
}
