import { join } from "node:path";
import { type ByteStream, SkillError } from "@skillwright/core";
import { fileNotFound, leftOutFolder } from "@skillwright/core/adapter";
import { ChangedMeanwhile } from "../files/errno.js";
import { fileStream } from "../files/file-stream.js";
import { lstat } from "../files/file-system.js";
import { isSameStamp } from "../files/stamp.js";
import type { FolderPlace } from "./folder-place.js";
import { type HeaderMemory, readHeader } from "./read-summary.js";
import { resolveInside, skillFiles } from "./skill-files.js";
import { SKILL_RULES } from "./skill-folder.js";

/**
 * Streams one file of the skill. Rejects with `ChangedMeanwhile` when the place holds another skill by now.
 * @throws SkillError `FILE_NOT_FOUND`.
 */
export async function openFile(
  place: FolderPlace,
  name: string,
  path: string,
  { headers, signal }: { headers: HeaderMemory; signal: AbortSignal | undefined },
): Promise<ByteStream> {
  const before = await lstat(place.directory);
  if (!(await isSkillThere(place, name, headers))) throw new ChangedMeanwhile();
  const location = await locationOf(place, path, signal);
  const changed = (): SkillError =>
    new SkillError("FILE_NOT_FOUND", `"${path}" of the skill "${name}" was replaced. Open it again.`);
  const content = location && (await fileStream(location, { signal, changed }));
  if (content) return content;
  if (!isSameStamp(await lstat(place.directory), before)) throw new ChangedMeanwhile();
  throw fileNotFound(name, path);
}

/** Checks the name again, since the place was found by it some time ago. */
async function isSkillThere(place: FolderPlace, name: string, headers: HeaderMemory): Promise<boolean> {
  const skillFile = place.flat ? place.directory : join(place.directory, "SKILL.md");
  const stat = await lstat(skillFile);
  if (place.path === name) return true;
  const target = stat.isSymbolicLink()
    ? await resolveInside(place.directory, skillFile, place.rules ?? SKILL_RULES)
    : skillFile;
  if (target === undefined) return false;
  const found = {
    path: "SKILL.md",
    location: target,
    stat: target === skillFile ? stat : await lstat(target),
  };
  const header = await readHeader(place, found, headers);
  return header?.skill?.name === name;
}

async function locationOf(
  { directory, flat, rules = SKILL_RULES }: FolderPlace,
  path: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (flat) return path === "SKILL.md" ? directory : undefined;
  if (leftOutFolder(rules, path) !== undefined) return undefined;
  const location = await resolveInside(directory, join(directory, path), rules);
  if (location !== undefined) return location;
  // A skill inside this one may be outside its directory for a moment, while it is replaced.
  const { files } = await skillFiles(directory, signal, rules);
  return files.find((file) => file.path === path)?.location;
}
