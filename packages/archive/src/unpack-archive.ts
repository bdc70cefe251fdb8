import { mkdir, mkdtemp, readFile, rm, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import {
  type ByteSource,
  type Diagnostic,
  type ParsedSkill,
  parseSkill,
  SkillError,
} from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import { openArchive } from "./open-archive.js";
import type { SkillArchive, UnpackedSkill, UnpackOptions } from "./skill-archive.js";
import { placeFolder, refuseExisting } from "./write/place-folder.js";
import { skillFolder } from "./write/skill-folder.js";
import { writeFiles } from "./write/write-files.js";

const UNPACKING = ".skillwright-unpack-";

/**
 * Unpacks a skill into its own folder in `directory`, which is created where it does not exist. The folder has the name
 * of the archive's folder, otherwise of the skill. It appears atomically when all files are written and SKILL.md has
 * been parsed; before that, everything is in a hidden folder beside it, which is all that a killed process leaves
 * behind.
 *
 * Files get mode 644 or 755. A name that the standard refuses does not prevent unpacking a skill that a client can
 * load.
 *
 * @throws SkillError as `openArchive`; `SKILL_INVALID` also where SKILL.md cannot be loaded or a file differs from its
 * declaration; `SKILL_EXISTS`; `BACKEND_FAILED` where the folder cannot be written. Nothing is left behind then.
 */
export async function unpackArchive(source: ByteSource, options: UnpackOptions): Promise<UnpackedSkill> {
  const archive = await openArchive(source, options);
  const directory = resolve(options.directory);
  try {
    if (archive.directoryName !== undefined && options.existing !== "replace")
      await refuseExisting(join(directory, archive.directoryName));
    return await unpackInto(directory, archive, options);
  } catch (error) {
    throw SkillError.from(error, `Unpacking into ${directory}`);
  }
}

async function unpackInto(
  directory: string,
  archive: SkillArchive,
  { existing = "refuse", signal }: UnpackOptions,
): Promise<UnpackedSkill> {
  const made = await mkdir(directory, { recursive: true });
  const hidden = await mkdtemp(join(directory, UNPACKING));
  const written = join(hidden, "skill");
  let unpacked: UnpackedSkill;
  try {
    await writeFiles(written, archive.contents());
    const { name: skillName } = await loadableSkill(join(written, "SKILL.md"), archive.directoryName ?? "");
    const { name: folder, diagnostics } = skillFolder(archive.directoryName, skillName);
    checkAborted(signal);
    const target = join(directory, folder);
    await placeFolder(written, target, { existing, aside: join(hidden, "replaced") });
    unpacked = {
      name: skillName,
      directory: target,
      files: archive.files,
      diagnostics: [...archive.diagnostics, ...diagnostics],
    };
  } catch (error) {
    await removed(written);
    // Not empty where a replaced folder could not be put back: the message says where it is.
    await rmdir(hidden).catch(() => undefined);
    if (made !== undefined) await removeMade(directory, made);
    throw error;
  }
  if (await removed(hidden)) return unpacked;
  return { ...unpacked, diagnostics: [...unpacked.diagnostics, leftBehind(hidden)] };
}

async function removed(folder: string): Promise<boolean> {
  return await rm(folder, { recursive: true, force: true }).then(
    () => true,
    () => false,
  );
}

function leftBehind(hidden: string): Diagnostic {
  return {
    code: "archive.left-behind",
    severity: "warning",
    message: `The folder ${hidden}, which holds the replaced files, could not be removed.`,
    hint: "Remove it yourself.",
  };
}

async function loadableSkill(path: string, directoryName: string): Promise<ParsedSkill> {
  const { skill, diagnostics } = parseSkill(await readFile(path), { directoryName });
  if (skill) return skill;
  const reason = diagnostics.find(({ severity }) => severity === "error");
  const message =
    `SKILL.md in the archive cannot be used. ${reason?.message ?? ""} ${reason?.hint ?? ""}`.trim();
  throw new SkillError("SKILL_INVALID", message);
}

/** Removes the folders that were created, innermost first, as long as they are empty. */
async function removeMade(directory: string, first: string): Promise<void> {
  for (let folder = directory; folder.length >= first.length; folder = dirname(folder)) {
    try {
      await rmdir(folder);
    } catch {
      return;
    }
  }
}
