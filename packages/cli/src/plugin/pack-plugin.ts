import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { isPackedPath, writeArchive } from "@skillwright/archive";
import { manifestDigest, skillManifest } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import type { CliContext } from "../cli-context.js";
import { notPackedText, remainingText } from "../pack/findings-text.js";
import { outputFile } from "../pack/output-file.js";
import { putInPlace } from "../pack/put-in-place.js";
import { counted, formatBytes } from "../terminal/amounts.js";
import { reportedPath, shownPath } from "../terminal/shown-path.js";
import { type JudgedPlugin, judgePlugin } from "./judge-plugin.js";
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
      file: reportedPath(join(root, finding.path ?? ""), context.cwd),
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
  const archive = writeArchive(files, { format: output.archiveFormat, layout: "tree", directoryName: name });
  const bytes = await putInPlace(archive, output.path, {
    ...{ digest, trees: true, signal: context.signal },
    different: () => new Error("The archive does not have the files that were packed."),
  });
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
      ...remainingText(judged, "skillwright plugin validate"),
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
  const remedy = judged.plugin ? "Fix them, or use --force to pack the plugin anyway." : "Fix them.";
  context.print(...notPackedText(judged, remedy, context));
}

function digestOf(files: readonly PluginFile[]): string {
  const listed = files.map(({ path, executable, content }) => ({
    ...{ path, executable, size: content.byteLength },
    sha256: createHash("sha256").update(content).digest("hex"),
  }));
  return manifestDigest(skillManifest(listed));
}
