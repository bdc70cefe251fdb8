import { pathToFileURL } from "node:url";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { type JsonObject, readBytes, type ToolResult } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import { isTextType } from "../resources/file-content.js";
import { workspaceUri } from "../resources/workspace-uri.js";
import type { HostSession } from "../session/host-session.js";

type Content = CallToolResult["content"];

interface OutputFile {
  readonly name: string;
  readonly mime_type: string;
  readonly size_bytes: number;
  readonly content?: string;
}

const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const MAX_TEXT_BYTES = 8 * 1024;
const MAX_TEXTS_BYTES = 32 * 1024;
const MAX_IMAGE_BYTES = 256 * 1024;
const MAX_IMAGES_BYTES = 1024 * 1024;

/**
 * Returns a link to each file of a run, and the content of small texts and images. Links to saved files lead to the place where a
 * person finds the file; a user of a server gets none to a place on its disk.
 */
export async function outputContent(
  { output, artifacts }: Pick<ToolResult, "output" | "artifacts">,
  session: HostSession,
  signal: AbortSignal,
): Promise<Content> {
  const content: Content = [];
  let texts = 0;
  let images = 0;
  for (const file of outputFiles(output)) {
    const { name, mime_type: mimeType, size_bytes: size } = file;
    const uri = workspaceUri(name);
    content.push({ type: "resource_link", uri, name: shownLine(name), mimeType, size });
    if (IMAGES.has(mimeType) && size <= MAX_IMAGE_BYTES && images + size <= MAX_IMAGES_BYTES) {
      images += size;
      const data = await contentOf(name, size, session, signal);
      if (data) content.push({ type: "image", data: data.toString("base64"), mimeType });
    } else if (file.content === undefined && isTextType(mimeType) && size <= MAX_TEXT_BYTES) {
      if (texts + size > MAX_TEXTS_BYTES) continue;
      texts += size;
      const data = await contentOf(name, size, session, signal);
      if (data) content.push({ type: "resource", resource: { uri, mimeType, text: data.toString("utf8") } });
    }
  }
  for (const { name, version, location, mimeType, size } of artifacts) {
    const isAddress = location?.includes("://");
    if (location !== undefined && (isAddress || session.isOfThisMachine))
      content.push({
        type: "resource_link",
        uri: isAddress ? location : pathToFileURL(location).href,
        ...{ name, mimeType, size, description: `Saved as version ${version}.` },
      });
  }
  return content;
}

function outputFiles(output: ToolResult["output"]): readonly OutputFile[] {
  const files = (output as JsonObject | null)?.["output_files"];
  return Array.isArray(files) ? (files as unknown as readonly OutputFile[]) : [];
}

/** `undefined` for a file that another command changed or removed meanwhile. */
async function contentOf(
  path: string,
  size: number,
  { workspaces, workspace }: HostSession,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const id = workspace();
  if (!workspaces || id === undefined) return undefined;
  try {
    const bytes = await readBytes(await workspaces.download(id, path, { signal }), size);
    return bytes.byteLength === size ? Buffer.from(bytes) : undefined;
  } catch {
    return undefined;
  }
}
