import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { SkillError } from "@skillwright/core";
import type { CliContext } from "../cli-context.js";
import { placeCatalog } from "../places/place-catalog.js";
import { placesOf } from "../places/places-of.js";
import { skillReference } from "./skill-reference.js";

/**
 * The absolute folder of the skill named on the command line. A skill given as a path need not be loadable. A name
 * means the folder of that name in the working directory, where there is one.
 * @throws SkillError `SKILL_NOT_FOUND`, `SKILL_INVALID` also for a skill that is a single file, `FILE_NOT_FOUND`.
 */
export async function skillDirectory(
  text: string,
  flags: readonly string[],
  context: Pick<CliContext, "cwd" | "env" | "signal" | "bundledSkills">,
): Promise<string> {
  const reference = await skillReference(text, context.cwd);
  if (reference.kind === "folder") return reference.directory;
  const beside = await skillReference(`./${reference.name}`, context.cwd).catch((error: unknown) => {
    if (!SkillError.is(error, "FILE_NOT_FOUND")) throw error;
    return undefined;
  });
  if (beside?.kind === "folder") return beside.directory;
  const places = await placesOf(context, flags);
  await using catalog = await placeCatalog(places, context.cwd);
  const { source, path } = await catalog.load(reference.name, { signal: context.signal });
  const location = resolve(places.find((place) => place.source === source)?.root ?? context.cwd, path);
  if ((await stat(location)).isDirectory()) return location;
  throw new SkillError(
    "SKILL_INVALID",
    `The skill "${reference.name}" is the file ${location}, and a folder is needed here. Move it to SKILL.md in a folder of its own.`,
  );
}
