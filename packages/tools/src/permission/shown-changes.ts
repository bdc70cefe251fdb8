import type { ApprovalChange } from "@skillwright/core";
import { decodedText } from "../files/decoded-text.js";

const MAX_TEXT_BYTES = 64 * 1024;
const MAX_TOTAL_BYTES = 256 * 1024;

type ReadFile = (path: string) => Promise<Uint8Array>;

/**
 * Adds to the changes the texts that a person needs to see before an approval, within the limits of `ApprovalChange`.
 * A file that cannot be read gets no text.
 */
export async function shownChanges(
  changes: readonly ApprovalChange[],
  read: { readonly before?: ReadFile; readonly after: ReadFile },
): Promise<readonly ApprovalChange[]> {
  let left = MAX_TOTAL_BYTES;

  async function text(file: ReadFile | undefined, path: string): Promise<string | undefined> {
    // The change of a file that cannot be read is shown without text, like that of a binary file.
    const bytes = await file?.(path).catch(() => undefined);
    if (!bytes || bytes.byteLength > Math.min(left, MAX_TEXT_BYTES)) return undefined;
    const found = decodedText(bytes);
    if (found !== undefined) left -= bytes.byteLength;
    return found;
  }

  const shown: ApprovalChange[] = [];
  for (const { path, change } of changes) {
    // The new text comes first, because it matters more if not everything fits.
    const after = change === "removed" ? undefined : await text(read.after, path);
    const before = change === "added" ? undefined : await text(read.before, path);
    shown.push({
      path,
      change,
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    });
  }
  return shown;
}
