import { SkillError, type SkillVersion } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import type { CliContext } from "../cli-context.js";
import { atPlace } from "./published-place.js";

export interface RollbackFlags {
  readonly at: string;
  readonly to?: string;
  readonly index?: string;
  readonly json?: true;
}

export async function rollBackSkill(name: string, flags: RollbackFlags, context: CliContext): Promise<void> {
  const { at, to, index, json } = flags;
  const { signal, style } = context;
  await atPlace(at, { indexAddress: index, create: false }, context, async (place) => {
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
    if (json) context.printJson({ name, versions });
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
