import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SkillError, type UploadFile } from "@skillwright/core";
import { abortable, uploadedSkill, uploadRules } from "@skillwright/core/adapter";
import { isErrno } from "../files/errno.js";
import { OWN_PREFIX } from "../files/own-names.js";
import { SourceFailure, writeContent } from "../files/write-content.js";
import { VERSION_CONTROL } from "./skill-files.js";

/** Writes the upload into a new directory and returns the name in its SKILL.md. @throws SkillError as `upload`. */
export async function stageUpload(
  directory: string,
  files: Iterable<UploadFile> | AsyncIterable<UploadFile>,
  signal: AbortSignal | undefined,
): Promise<string> {
  const rules = uploadRules();
  await mkdir(directory, { recursive: true });
  for await (const { path, content, executable } of comingIn(files, signal)) {
    rules.admit(path);
    refuseReserved(path);
    const file = join(directory, path);
    await mkdir(dirname(file), { recursive: true });
    const onPiece = (bytes: number): void => rules.count(path, bytes);
    await writeContent(file, content, { signal, mode: executable ? 0o777 : 0o666, onPiece });
  }
  const skillFile = await readFile(join(directory, "SKILL.md")).catch(ignoreNoFile);
  // A name that the standard does not allow is checked once it is known whether a skill has it already.
  return uploadedSkill(skillFile, () => true).name;
}

/** A SKILL.md that is a folder, or missing, makes the upload invalid. */
function ignoreNoFile(error: unknown): undefined {
  if (!isErrno(error, "ENOENT", "EISDIR")) throw error;
}

async function* comingIn(
  files: Iterable<UploadFile> | AsyncIterable<UploadFile>,
  signal: AbortSignal | undefined,
): AsyncGenerator<UploadFile> {
  try {
    yield* abortable(files, signal);
  } catch (error) {
    throw signal?.aborted && SkillError.is(error, "ABORTED") ? error : new SourceFailure(error);
  }
}

/** Names that listings skip would be lost silently. */
function refuseReserved(path: string): void {
  const reserved = path.split("/").find((part) => part.startsWith(OWN_PREFIX) || VERSION_CONTROL.has(part));
  if (reserved === undefined) return;
  const message = `The path "${path}" contains the name "${reserved}", which is reserved in a folder of skills. Leave it out.`;
  throw new SkillError("PATH_INVALID", message, { details: { path } });
}
