import type { CollectedFile } from "@skillwright/core";
import { withSpan } from "@skillwright/core/adapter";
import type { Collection } from "./collection.js";
import { inlineText } from "./inline-text.js";
import { isSettledByName, isTextType, listedMimeType, mimeTypeOf } from "./mime-type.js";
import type { OutputReader } from "./output-reader.js";
import type { SelectedOutput } from "./select-outputs.js";

const HEAD_BYTES = 4096;

export interface DescribedOutput {
  readonly file: Omit<CollectedFile, "content" | "artifact">;
  readonly content: string | undefined;
  readonly inlinedBytes: number;
}

/** True where `describeOutput` is likely to read the file. */
export function isLookedAt({ file: { path }, unchanged }: SelectedOutput, inline: boolean): boolean {
  return !isSettledByName(path) || (inline && !unchanged && isPossiblyText(path));
}

/**
 * Returns the file's type, and its text if that was requested and `left` bytes allow it. Reads the file at most once.
 */
export async function describeOutput(
  { file, unchanged }: SelectedOutput,
  left: number,
  collection: Collection & { readonly reader: OutputReader },
): Promise<DescribedOutput> {
  const { plan, tell } = collection;
  const { path, size, modifiedMs } = file;
  const wantsText = plan.inline && !unchanged && isPossiblyText(path);
  const limit = wantsText ? Math.min(plan.maxInlineBytes, left) : 0;
  const settled = isSettledByName(path);
  const readBytes = Math.max(limit, settled ? 0 : HEAD_BYTES);
  const read = () => headOf(path, readBytes, collection);
  const head = wantsText ? await inlined(read) : settled ? undefined : await read();
  const mimeType = head && !settled ? mimeTypeOf(path, head.subarray(0, HEAD_BYTES)) : listedMimeType(path);
  const described = { path, size, mimeType, modifiedMs, unchanged };
  if (!head || !wantsText || !isTextType(mimeType))
    return { file: { ...described, truncated: false }, content: undefined, inlinedBytes: 0 };

  const bytes = head.subarray(0, limit);
  const truncated = size > bytes.byteLength;
  const content = inlineText(bytes, truncated);
  if (content === undefined) tell(notText(path, mimeType));
  else if (truncated) tell(cut(path, size, limit, left < plan.maxInlineBytes));
  return {
    file: { ...described, truncated: content !== undefined && truncated },
    content,
    inlinedBytes: content === undefined ? 0 : bytes.byteLength,
  };
}

async function inlined(read: () => Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> {
  return await withSpan("workspace.inline", {}, async (set) => {
    const head = await read();
    set({ bytes: head?.byteLength ?? 0 });
    return head;
  });
}

function isPossiblyText(path: string): boolean {
  return !isSettledByName(path) || isTextType(listedMimeType(path));
}

async function headOf(
  path: string,
  limit: number,
  { reader, tell }: Pick<Collection, "tell"> & { readonly reader: OutputReader },
): Promise<Uint8Array | undefined> {
  if (limit === 0) return new Uint8Array();
  try {
    return await reader.head(limit);
  } catch (error) {
    tell({
      code: "output.unreadable",
      severity: "warning",
      message: `${path} could not be read: ${error instanceof Error ? error.message : String(error)}`,
      hint: "Give the file a plain name and leave it readable for its owner.",
      path,
    });
    return undefined;
  }
}

function notText(path: string, mimeType: string) {
  return {
    code: "output.not-text",
    severity: "info",
    message: `${path} has the type ${mimeType} but is not UTF-8 text; its content is not included.`,
    hint: "Save it as an artifact, or write it as UTF-8.",
    path,
  } as const;
}

function cut(path: string, size: number, limit: number, byTotal: boolean) {
  return {
    code: byTotal ? "output.total-limit" : "output.cut",
    severity: "warning",
    message: `${path} has ${size} bytes; ${byTotal ? "maxTotalBytes" : "maxFileBytes"} allows ${limit} inline.`,
    hint: `Read the file itself for the rest, or raise ${byTotal ? "maxTotalBytes" : "maxFileBytes"}.`,
    path,
  } as const;
}
