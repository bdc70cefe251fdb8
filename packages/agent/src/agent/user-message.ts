import { SkillError, type UploadedFile } from "@skillwright/core";
import { type LostFiles, lostFilesNote } from "./lost-files.js";

/** Start of the line that tells the model about new files. */
const UPLOADS_HEADING = "Uploaded files:";

/**
 * The user's words, the skills that they trigger, then what happened since the last turn: changed skills, files that are gone, new files.
 */
export function userMessage(
  words: string,
  notes: {
    triggered?: string | undefined;
    changes?: string | undefined;
    uploads: readonly UploadedFile[];
    lost: LostFiles | undefined;
    isUndone: boolean;
  },
): string {
  const parts = [words];
  if (notes.triggered) parts.push(notes.triggered);
  if (notes.changes) parts.push(notes.changes);
  if (notes.isUndone) parts.push(UNDONE);
  if (notes.lost) parts.push(lostFilesNote(notes.lost));
  if (notes.uploads.length > 0)
    parts.push(`${UPLOADS_HEADING} ${notes.uploads.map(describeUpload).join("; ")}`);
  return parts.join("\n\n");
}

const UNDONE = "The user undid changes in work/project. Read its files again before you change them.";

/** Tells the path under which every tool finds the file, also a command that starts in a skill's directory. */
function describeUpload({ path, mimeType, size }: UploadedFile): string {
  return `${path} (${mimeType}, ${size.toLocaleString("en-US")} bytes)`;
}

/** A message of another type would be stored in the history, and every later request to the model would fail. */
export function checkedMessage(message: unknown): string {
  if (typeof message === "string") return message;
  throw new SkillError("INPUT_INVALID", `The message is of type ${typeof message}. Give the user's text.`);
}
