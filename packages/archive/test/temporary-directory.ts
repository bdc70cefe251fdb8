import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TemporaryDirectory extends AsyncDisposable {
  readonly path: string;
}

export async function temporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), "skillwright-archive-"));
  return { path, [Symbol.asyncDispose]: async () => await rm(path, { recursive: true }) };
}

/** Content and permission bits of each file below a directory, by path. */
export async function filesBelow(
  folder: string,
): Promise<Record<string, { readonly content: string; readonly mode: string }>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  const found = files.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const mode = ((await stat(path)).mode & 0o7777).toString(8);
    return [path.slice(folder.length + 1), { content: await readFile(path, "utf8"), mode }] as const;
  });
  return Object.fromEntries((await Promise.all(found)).sort(([a], [b]) => (a < b ? -1 : 1)));
}
