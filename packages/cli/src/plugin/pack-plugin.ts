import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { isPackedPath, openArchive, writeArchive } from "@skillwright/archive";
import { manifestDigest, skillManifest } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import { archiveContent } from "../archives/archive-content.js";
import type { CliContext } from "../cli-context.js";
import { type OutputFile, outputFile } from "../pack/output-file.js";
import { counted, formatBytes } from "../terminal/amounts.js";
import { shownPath } from "../terminal/shown-path.js";
import { countedFindings, countFindings, noFindings } from "../validate/count-findings.js";
import { findingLines } from "../validate/finding-lines.js";
import { type JudgedPlugin, judgePlugin, shownFrom } from "./judge-plugin.js";
import { type PluginFile, pluginFiles } from "./plugin-files.js";
import { findingsJson } from "./validate-plugin.js";

export interface PackPluginFlags {
  readonly out?: string;
  readonly format?: "zip" | "tar.gz";
  readonly force?: true;
  readonly overwrite?: true;
  readonly json?: true;
}

/**
 * Packs a plugin into one folder of its name. Returns false where it has errors and was not packed.
 * @throws SkillError as `judgePlugin`, `outputFile` and `writeArchive`; `LIMIT_EXCEEDED` for more than 4,096 files or 64
 * MiB.
 */
export async function packPlugin(
  folder: string,
  flags: PackPluginFlags,
  context: CliContext,
): Promise<boolean> {
  const { out, format, force, overwrite = false, json } = flags;
  const root = resolve(context.cwd, folder);
  const read = await judgePlugin(root, context.cwd);
  const { files: found, diagnostics } = await pluginFiles(root, isPackedPath);
  const findings = [
    ...read.findings,
    ...diagnostics.map((finding) => ({
      finding,
      file: shownFrom(context.cwd, join(root, finding.path ?? "")),
    })),
  ];
  const judged = { ...read, findings, valid: read.valid && diagnostics.length === 0 };
  const { plugin } = judged;
  if (!plugin || (!judged.valid && !force)) {
    refuse(judged, json, context);
    return false;
  }
  const { name } = plugin.manifest;
  const output = await outputFile(name, { out, format: format ?? formatOf(out), overwrite }, context.cwd);
  const files = found.filter(({ path }) => join(root, path) !== output.path);
  const digest = digestOf(files);
  const bytes = await putInPlace(files, name, output, digest, context);
  const packed = { name, file: output.path, format: output.archiveFormat, bytes, digest };
  const content = `${formatBytes(bytes)}, ${counted(files.length, "file")}`;
  if (json)
    context.printJson({
      packed: true,
      ...packed,
      files: files.map(({ path }) => path),
      ...findingsJson(judged),
    });
  else
    context.print(
      `${context.style.green("✔")} ${context.style.bold(shownLine(shownPath(output.path, context.cwd)))}  ${content}`,
      `  ${context.style.dim(digest)}`,
      ...remainder(judged),
    );
  return true;
}

/** `.skill` is for a single skill, so the name of a folder, or another extension, gives a zip. */
function formatOf(out: string | undefined): "zip" | "tar.gz" {
  return out !== undefined && /\.(?:tar\.gz|tgz)$/i.test(out) ? "tar.gz" : "zip";
}

function refuse(judged: JudgedPlugin, json: true | undefined, context: CliContext): void {
  if (json) {
    context.printJson({ packed: false, ...findingsJson(judged) });
    return;
  }
  const errors = judged.findings.filter(({ finding }) => finding.severity === "error");
  const remedy = judged.plugin ? "Fix them, or use --force to pack the plugin anyway." : "Fix them.";
  context.print(
    ...findingLines({ ...judged, findings: errors }, context),
    `${context.style.red("✘")} Not packed: ${counted(errors.length, "error")}. ${remedy}`,
  );
}

/** Findings that did not prevent packing. */
function remainder(judged: JudgedPlugin): string[] {
  const totals = noFindings();
  countFindings(totals, judged);
  const counts = countedFindings(totals);
  return counts === "" ? [] : [`  ${counts}: run "skillwright plugin validate" to see them.`];
}

function digestOf(files: readonly PluginFile[]): string {
  const listed = files.map(({ path, executable, content }) => ({
    ...{ path, executable, size: content.byteLength },
    sha256: createHash("sha256").update(content).digest("hex"),
  }));
  return manifestDigest(skillManifest(listed));
}

async function putInPlace(
  files: readonly PluginFile[],
  directoryName: string,
  { path, archiveFormat }: OutputFile,
  digest: string,
  { signal }: CliContext,
): Promise<number> {
  await mkdir(dirname(path), { recursive: true });
  const part = join(dirname(path), `.${directoryName}.${randomUUID()}.part`);
  try {
    const written = writeArchive(files, { format: archiveFormat, layout: "tree", directoryName });
    await pipeline(written, createWriteStream(part, { flags: "wx" }), { ...(signal && { signal }) });
    const { manifest } = await archiveContent(
      await openArchive(createReadStream(part), { trees: true, signal }),
    );
    if (manifestDigest(manifest) !== digest)
      throw new Error("The archive does not have the files that were packed.");
    const { size } = await stat(part);
    await rename(part, path);
    return size;
  } finally {
    await rm(part, { force: true });
  }
}
