import { resolve } from "node:path";
import { openArchive, type UnpackedSkill, type UnpackOptions, unpackArchive } from "@skillwright/archive";
import { manifestDigest, SkillError } from "@skillwright/core";
import { archiveContent } from "../archives/archive-content.js";
import { archiveFile } from "../archives/archive-file.js";
import type { CliContext } from "../cli-context.js";
import { openSkill } from "../skills/open-skill.js";
import { archiveText } from "./archive-text.js";
import { unpackedText } from "./unpacked-text.js";

export interface UnpackFlags {
  readonly to: string;
  readonly overwrite?: true;
  readonly list?: true;
  readonly json?: true;
}

export async function unpackSkill(archive: string, flags: UnpackFlags, context: CliContext): Promise<void> {
  await (flags.list ? list(archive, flags, context) : unpack(archive, flags, context));
}

async function list(path: string, { json }: UnpackFlags, context: CliContext): Promise<void> {
  const { signal, style } = context;
  const archive = await openArchive(await archiveFile(path, context.cwd), { signal });
  const content = await archiveContent(archive);
  if (!json) return context.print(...archiveText(archive, content, style));
  const { format, layout, directoryName } = archive;
  const { name, description } = content.parsed.skill ?? {};
  const { files } = content.manifest;
  const digest = manifestDigest(content.manifest);
  const diagnostics = [...archive.diagnostics, ...content.parsed.diagnostics];
  const told = {
    name,
    description,
    format,
    layout,
    directoryName,
    files,
    digest,
    diagnostics,
  };
  context.printJson(told);
}

async function unpack(path: string, flags: UnpackFlags, context: CliContext): Promise<void> {
  const { signal, cwd } = context;
  const existing = flags.overwrite ? "replace" : "refuse";
  const options = { directory: resolve(cwd, flags.to), existing, signal } as const;
  const unpacked = await unpackedSkill(path, options, cwd);
  await using opened = await openSkill(unpacked.directory, [], context);
  const { digest } = opened.skill;
  if (flags.json) context.printJson({ ...unpacked, digest });
  else context.print(...unpackedText(unpacked, digest, context));
}

async function unpackedSkill(path: string, options: UnpackOptions, cwd: string): Promise<UnpackedSkill> {
  const source = await archiveFile(path, cwd);
  try {
    return await unpackArchive(source, options);
  } catch (error) {
    if (!SkillError.is(error, "SKILL_EXISTS")) throw error;
    const message = `${error.message.replace(/\.$/, "")}: add --overwrite, or another folder with --to.`;
    throw new SkillError("SKILL_EXISTS", message, { cause: error });
  }
}
