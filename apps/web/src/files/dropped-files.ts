/** A file that a person gave, with its path below the dropped folder. */
export interface GivenFile {
  readonly path: string;
  readonly file: File;
}

/** Files of a picker or the clipboard. A pasted picture has no name of its own. */
export function pickedFiles(files: Iterable<File> | ArrayLike<File>): readonly GivenFile[] {
  return Array.from(files as ArrayLike<File>).map((file) => ({
    path: file.webkitRelativePath || file.name,
    file,
  }));
}

/** All files of a drop, also those in folders. */
export async function droppedFiles(data: DataTransfer): Promise<readonly GivenFile[]> {
  // The entries are gone once the event is over, so that all of them are taken first.
  const entries = Array.from(data.items).flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return pickedFiles(data.files);
  const found = await Promise.all(entries.map((entry) => filesOf(entry)));
  return found.flat();
}

async function filesOf(entry: FileSystemEntry): Promise<readonly GivenFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [{ path: entry.fullPath.replace(/^\//, ""), file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: GivenFile[] = [];
  // One call returns at most a hundred entries.
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (entries.length === 0) return found;
    for (const one of entries) found.push(...(await filesOf(one)));
  }
}
