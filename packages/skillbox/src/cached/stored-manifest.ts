import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ManifestFile, manifestDigest, type SkillManifest, skillManifest } from "@skillwright/core";
import { checkAborted, SKILL_LINKS } from "@skillwright/core/adapter";

const AT_ONCE = 16;
const SMALL_BYTES = 256 * 1024;

/**
 * Computes the manifest of a directory in a content store, reading every byte. `undefined` where the files do not match
 * the digest.
 */
export async function storedManifest(
  directory: string,
  digest: string,
  signal: AbortSignal | undefined,
): Promise<SkillManifest | undefined> {
  const paths = await filesIn(directory);
  if (!paths) return undefined;
  const files: ManifestFile[] = [];
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    checkAborted(signal);
    files.push(
      ...(await Promise.all(paths.slice(at, at + AT_ONCE).map((path) => manifestFile(directory, path)))),
    );
  }
  const manifest = skillManifest(files);
  return manifestDigest(manifest) === digest ? manifest : undefined;
}

/** The files without the links of a workspace; `undefined` where there is any other link or special file. */
async function filesIn(directory: string): Promise<string[] | undefined> {
  const paths: string[] = [];
  const folders = [""];
  for (const folder of folders)
    for (const entry of await readdir(join(directory, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) paths.push(path);
      else if (!entry.isSymbolicLink() || !Object.hasOwn(SKILL_LINKS, path)) return undefined;
    }
  return paths;
}

async function manifestFile(directory: string, path: string): Promise<ManifestFile> {
  const file = join(directory, path);
  const { size, mode } = await lstat(file);
  const hash = createHash("sha256");
  if (size <= SMALL_BYTES) hash.update(await readFile(file));
  else for await (const piece of createReadStream(file)) hash.update(piece);
  return { path, size, executable: (mode & 0o111) !== 0, sha256: hash.digest("hex") };
}
