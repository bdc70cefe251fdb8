import type { CallOptions, Diagnostic, UploadedFile, Workspaces } from "@skillwright/core";

/** The conversation's workspace, as the process saw it that used it last. */
export interface NotedWorkspace {
  readonly id: string;
  /** ISO 8601 time. If it differs for the same id, the workspace was made anew, or another process saw it. */
  readonly createdAt: string;
}

export interface LostFiles {
  /** Uploads that are gone. */
  readonly files: readonly UploadedFile[];
  /** True if the workspace itself is gone, with all that commands wrote in it. */
  readonly isAll: boolean;
}

/** What earlier messages told. Workspaces are named by the times at which they were created. */
export interface SeenWorkspaces {
  /** The workspace whose end was told. */
  readonly ended?: string;
  /** The workspace that was searched for missing uploads. */
  readonly searched?: string;
}

interface WhatToLookFor {
  readonly noted: NotedWorkspace;
  readonly known: SeenWorkspaces | undefined;
  readonly uploads: readonly { readonly file: UploadedFile; readonly workspace: string }[];
}

/**
 * Finds out what the conversation lost, such as when a policy ended the idle workspace. The workspace is searched only if
 * uploads were made in another one, or seen by another process. Returns `undefined` if nothing new is lost, and if the runtime does
 * not answer.
 */
export async function lookForLosses(
  workspaces: Pick<Workspaces, "attach" | "files">,
  { noted, known, uploads }: WhatToLookFor,
  { signal }: CallOptions,
): Promise<{ readonly lost: LostFiles | undefined; readonly seen: SeenWorkspaces } | undefined> {
  try {
    const files = uploads.map(({ file }) => file);
    const found = await workspaces.attach(noted.id, { signal });
    if (!found) {
      const ended = noted.createdAt;
      return known?.ended === ended ? undefined : { lost: { files, isAll: true }, seen: { ended } };
    }
    const searched = found.createdAt;
    if (known?.searched === searched || uploads.every(({ workspace }) => workspace === searched))
      return undefined;
    const there = await workspaces.files(noted.id, "work/inputs", { signal });
    const paths = new Set(there.map(({ path }) => path));
    const gone = files.filter(({ path }) => !paths.has(path));
    return { lost: gone.length > 0 ? { files: gone, isAll: false } : undefined, seen: { searched } };
  } catch (error) {
    if (signal?.aborted) throw error;
    // The turn may need no workspace.
    return undefined;
  }
}

/** What the model is told. */
export function lostFilesNote({ files, isAll }: LostFiles): string {
  const paths = files.map(({ path }) => path);
  const what = isAll
    ? `The workspace was ended, because nobody used it. All files in it are gone${paths.length > 0 ? `: ${paths.join(", ")}, and what commands wrote` : ""}. Saved outputs are kept.`
    : `These uploads are no longer in the workspace: ${paths.join(", ")}.`;
  return `${what} Ask the user to upload again what you need.`;
}

/** What the person is told. */
export function lostFilesDiagnostic({ files, isAll }: LostFiles): Diagnostic {
  const names = files.map(({ path }) => path.replace(/^work\/inputs\//, ""));
  const listed = names.length > 0 ? `: ${names.join(", ")}` : "";
  return {
    code: "workspace.files-gone",
    severity: "warning",
    message: isAll
      ? `The workspace of this conversation was ended, because nobody used it. The files in it are gone${listed}.`
      : `Some of your uploads are no longer in the workspace${listed}.`,
    hint: "Upload again what is still needed. Saved outputs are kept.",
  };
}
