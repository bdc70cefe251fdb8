import type { FileInfo } from "../api/answers.js";

export interface Folder {
  readonly name: string;
  readonly folders: readonly Folder[];
  readonly files: readonly FileInfo[];
}

/** The files as a tree. A folder that has nothing but one folder stands with it in one line. */
export function folderOf(files: readonly FileInfo[], name = "", depth = 0): Folder {
  const here: FileInfo[] = [];
  const below = new Map<string, FileInfo[]>();
  for (const file of files) {
    const parts = file.path.split("/");
    const part = parts[depth] ?? "";
    if (parts.length === depth + 1) here.push(file);
    else below.set(part, [...(below.get(part) ?? []), file]);
  }
  const folders = [...below].map(([part, inside]) => joined(folderOf(inside, part, depth + 1)));
  return { name, folders, files: here };
}

function joined(folder: Folder): Folder {
  const [only] = folder.folders;
  if (folder.folders.length !== 1 || !only || folder.files.length > 0) return folder;
  return { ...only, name: `${folder.name}/${only.name}` };
}
