import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { openArchive } from "@skillwright/archive";
import { skillSource } from "@skillwright/config";
import { byteStream, type Diagnostic, SkillError, type UploadFile } from "@skillwright/core";
import { checkAborted, ifThere } from "@skillwright/core/adapter";
import { archiveFile } from "../archives/archive-file.js";
import type { CliContext } from "../cli-context.js";
import { pluginFiles } from "./plugin-files.js";

/**
 * Copies a plugin from a folder or an archive to a new folder. Returns what is not copied: an error for each
 * symlink and special file.
 * @throws SkillError `FILE_NOT_FOUND` for a missing source, `UNSUPPORTED` for one of another kind, `LIMIT_EXCEEDED`, and as
 * `openArchive`.
 */
export async function stagePlugin(
  text: string,
  staged: string,
  { cwd, signal }: CliContext,
): Promise<readonly Diagnostic[]> {
  const source = skillSource(text);
  if (source.kind === "archive") {
    const archive = await openArchive(await archiveFile(source.path, cwd), { trees: true, signal });
    await writeAll(staged, archive.contents(), signal);
    return archive.diagnostics;
  }
  if (source.kind !== "folder")
    throw new SkillError(
      "UNSUPPORTED",
      `A plugin cannot be installed from ${source.kind}. Download it first, and give its folder or its archive.`,
    );
  const folder = resolve(cwd, source.path);
  if (!(await ifThere(stat(folder)))?.isDirectory())
    throw new SkillError("FILE_NOT_FOUND", `${folder} is not a folder. Give a plugin's folder or archive.`);
  const { files, diagnostics } = await pluginFiles(folder, () => true);
  await writeAll(staged, files, signal);
  return diagnostics;
}

async function writeAll(
  folder: string,
  files: Iterable<UploadFile> | AsyncIterable<UploadFile>,
  signal: AbortSignal | undefined,
): Promise<void> {
  await mkdir(folder);
  for await (const { path, content, executable } of files) {
    checkAborted(signal);
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, byteStream(content), { flag: "wx", mode: executable ? 0o755 : 0o644 });
  }
}
