import { basename } from "node:path";
import { lstat } from "../files/file-system.js";
import type { DirectoryEntry } from "../files/read-directory.js";
import { markOf } from "./change-mark.js";
import type { FolderPlace, FoundFolders } from "./folder-place.js";

/** The files directly in the root that may be single-file skills. */
export function flatPlaces(entries: readonly DirectoryEntry[]): FolderPlace[] {
  return entries
    .filter(({ kind, name, isUsable }) => kind === "file" && isUsable && /^[^.].*\.md$/i.test(name))
    .filter(({ name }) => name.toLowerCase() !== "skill.md")
    .map(({ name, location }) => ({
      path: name,
      name: basename(name).slice(0, -3),
      directory: location,
      flat: true,
    }));
}

/** A skill whose only file is SKILL.md, stored in the repository under another name. Rejects with system errors. */
export async function flatSkill(place: FolderPlace): Promise<FoundFolders> {
  const stat = await lstat(place.directory);
  const files = stat.isFile() ? [{ path: "SKILL.md", location: place.directory, stat }] : [];
  const folder = { ...place, files, diagnostics: [], changeMark: markOf(files) };
  return { folders: [folder], directories: [], isWatchable: true, device: stat.dev, paths: undefined };
}
