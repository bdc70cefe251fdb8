import { SkillError, type SkillVersion } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import type { Command } from "commander";
import type { CliContext } from "../cli-context.js";
import { atPlace } from "../publish/published-place.js";
import { indexOption, jsonOption } from "./shared-options.js";

interface RollbackFlags {
  readonly at: string;
  readonly to?: string;
  readonly index?: string;
  readonly json?: true;
}

export function addRollbackCommand(program: Command, context: CliContext): void {
  program
    .command("rollback")
    .summary("publish an earlier version of a skill again, or list its versions")
    .description(
      "Publishes the content of an earlier version as a new version. Versions published since then are kept. Without --to, the versions are listed.",
    )
    .argument("<skill>", "its name")
    .requiredOption(
      "--at <source>",
      "the https address of a registry, s3://bucket/prefix, sqlite:path, postgres://host/database or a folder",
    )
    .option("--to <version>", "the version, or its digest")
    .addOption(indexOption())
    .addOption(jsonOption())
    .addHelpText("after", ["", "  skillwright rollback pdf --at s3://team-skills/released --to 3"].join("\n"))
    .action((name: string, flags: RollbackFlags) => rollback(name, flags, context));
}

async function rollback(name: string, flags: RollbackFlags, context: CliContext): Promise<void> {
  const { at, to, index, json } = flags;
  const { signal, style } = context;
  await atPlace(at, index, context, async (place) => {
    if (to !== undefined) {
      const { digest } = await place.rollback(name, to, { signal });
      if (!json)
        context.print(
          `${style.green("✔")} ${style.bold(name)}  has the content of version ${shownLine(to)} again`,
          `  ${style.dim(digest)}`,
        );
    }
    const versions = await place.versions(name, { signal });
    if (versions.length === 0)
      throw new SkillError(
        "SKILL_NOT_FOUND",
        `${place.label} has no version of ${JSON.stringify(name.slice(0, 80))}.`,
      );
    if (json) context.print(JSON.stringify({ formatVersion: 1, name, versions }, undefined, 2));
    else context.print(...versions.map((version, index) => versionLine(version, index === 0, style)));
  });
}

function versionLine(
  { version, digest, createdAt, by }: SkillVersion,
  isNewest: boolean,
  style: CliContext["style"],
): string {
  const mark = isNewest ? style.green("→") : " ";
  return `${mark} ${style.bold(version.padStart(4))}  ${createdAt}  ${style.dim(digest)}${by === undefined ? "" : `  ${shownLine(by)}`}`;
}
