import { type PublishingPlace, withoutCredentials } from "@skillwright/config";
import { type CallOptions, type Skill, SkillError } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import type { CliContext } from "../cli-context.js";
import { standingInTheWay } from "../handing-on/standing-in-the-way.js";
import { type JudgedFolder, judgeBeforePacking } from "../pack/judge-before-packing.js";
import { openSkill } from "../skills/open-skill.js";
import { skillDirectory } from "../skills/skill-directory.js";
import { counted } from "../terminal/amounts.js";
import { diagnosticLines } from "../terminal/diagnostic-lines.js";
import { findingLines } from "../validate/finding-lines.js";
import { filesOfSkill, publishedFiles } from "./files-of-skill.js";
import { atPlace } from "./published-place.js";

export interface PublishFlags {
  readonly to: string;
  readonly index?: string;
  readonly skills?: readonly string[];
  readonly label?: string;
  readonly new?: true;
  readonly force?: true;
  readonly allowWarnings?: true;
  readonly json?: true;
}

/** The result of a publication. */
interface Published {
  readonly skill: Skill;
  /** Present where the place keeps versions. */
  readonly version?: string | undefined;
  /** True where the place already had exactly these files. */
  readonly unchanged: boolean;
}

/** Returns false where errors or warnings stand in the way, and nothing was published. */
export async function publishSkill(text: string, flags: PublishFlags, context: CliContext): Promise<boolean> {
  const { to, index, skills = [], force = false, allowWarnings = false, json } = flags;
  const directory = await skillDirectory(text, skills, context);
  const judged = await judgeBeforePacking(directory, context);
  const found = standingInTheWay(judged, { errors: force, warnings: force || allowWarnings });
  if (found) {
    const remedy = found.isError
      ? "Fix them, or use --force to publish the skill anyway."
      : "Review them, and use --allow-warnings to publish the skill anyway.";
    if (json)
      context.printJson({ published: false, findings: found.judged.findings.map(({ finding }) => finding) });
    else
      context.print(
        ...findingLines(found.judged, context),
        `${context.style.red("✘")} Not published: ${found.what}. ${remedy}`,
      );
    return false;
  }
  const { skill, version, unchanged } = await atPlace(
    to,
    { indexAddress: index, create: true },
    context,
    (place) => published(judged, directory, place, flags, context),
  );
  const { name, digest, manifest, diagnostics } = skill;
  if (json)
    context.printJson({
      published: true,
      unchanged,
      name,
      version,
      digest,
      files: manifest.files.length,
      diagnostics,
    });
  else
    context.print(
      `${context.style.green("✔")} ${context.style.bold(name)}  ${[
        ...(unchanged ? ["unchanged"] : []),
        ...(version === undefined ? [] : [`version ${version}`]),
        counted(manifest.files.length, "file"),
        `${unchanged ? "in" : "to"} ${shownLine(withoutCredentials(to))}`,
      ].join(", ")}`,
      `  ${context.style.dim(digest)}`,
      ...diagnostics.flatMap((found) => diagnosticLines(found, context.style)),
    );
  return true;
}

async function published(
  judged: JudgedFolder,
  directory: string,
  place: PublishingPlace,
  flags: PublishFlags,
  context: CliContext,
): Promise<Published> {
  const { signal } = context;
  await using opened = await openSkill(directory, [], context);
  judged.checkSame(publishedFiles(opened.skill));
  if (flags.label !== undefined && !place.setLabel)
    throw new SkillError(
      "UNSUPPORTED",
      `${place.label} has no labels. Leave out --label, or publish to a registry.`,
    );
  const existing = flags.new ? "refuse" : "replace";
  const before = await digestAt(place, opened.skill.name, { signal });
  const skill = await place.upload(filesOfSkill(opened, { signal }), {
    existing,
    signal,
    by: "skillwright publish",
  });
  const versions = await place.versions(skill.name, { signal });
  const version = versions?.find(({ digest }) => digest === skill.digest)?.version;
  if (flags.label !== undefined)
    await place.setLabel?.(skill.name, flags.label, version ?? skill.digest, { signal });
  return { skill, version, unchanged: before === skill.digest };
}

/** `undefined` where there is none, or a broken one. */
async function digestAt(
  place: PublishingPlace,
  name: string,
  options: CallOptions,
): Promise<string | undefined> {
  try {
    return (await place.load(name, options)).digest;
  } catch (error) {
    if (SkillError.is(error, "SKILL_NOT_FOUND") || SkillError.is(error, "SKILL_INVALID")) return undefined;
    throw error;
  }
}
