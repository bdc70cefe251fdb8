import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type ArtifactScope, type ArtifactStore, containedPath, SkillError } from "@skillwright/core";
import { attempts, checkAborted, checkArtifactScope } from "@skillwright/core/adapter";
import { artifactFolder, contentFile, scopeFolder } from "./artifacts/artifact-path.js";
import { type ArtifactRecord, asVersion, RECORD_FILE, readVersion } from "./artifacts/artifact-record.js";
import { newestVersions } from "./artifacts/newest-versions.js";
import { addVersion, removeVersions, versionFolders } from "./artifacts/version-folders.js";
import { fileStream } from "./files/file-stream.js";
import { removeLeftovers } from "./files/leftovers.js";
import { MAKING_PREFIX } from "./files/own-names.js";
import { newProcessMark } from "./files/process-mark.js";
import { removeTree } from "./files/remove-tree.js";
import { shownFailure, writeContent } from "./files/write-content.js";

export interface FsArtifactsOptions {
  /** Created when the first artifact is saved. */
  readonly root: string;
}

/**
 * Stores artifacts in directories that a person can open too: `<root>/<app>/<user>/<session>/reports/a.md/v0/a.md` is
 * version 0 of `reports/a.md`, and its `location`. Parts of a path that a file system might confuse, such as capitals,
 * are written with a hash; the file itself always has its real name. Several processes may save concurrently.
 */
export function fsArtifacts(options: FsArtifactsOptions): ArtifactStore {
  const root = resolve(options.root);
  const attempt = attempts(`artifacts in ${root}`, shownFailure);

  const save: ArtifactStore["save"] = (scope, name, content, { signal, mimeType, metadata = {} } = {}) =>
    attempt(`Saving "${name}"`, signal, async () => {
      const { home, folder } = placeOf(scope, containedPath(name));
      // Copied before the first await, because it belongs to the caller.
      const described = { mimeType: mimeType ?? "application/octet-stream", metadata: { ...metadata } };
      await mkdir(home, { recursive: true });
      await removeLeftovers(home);
      const prepared = join(home, MAKING_PREFIX + (await newProcessMark()));
      try {
        await mkdir(prepared);
        const written = await writeContent(join(prepared, contentFile(name)), content, { signal });
        const createdAt = new Date().toISOString();
        const record: ArtifactRecord = { formatVersion: 1, name, ...written, ...described, createdAt };
        await writeFile(join(prepared, RECORD_FILE), `${JSON.stringify(record, undefined, 2)}\n`);
        checkAborted(signal);
        return asVersion(record, folder, await addVersion(prepared, folder));
      } finally {
        await removeTree(prepared);
      }
    });

  const open: ArtifactStore["open"] = (scope, name, { signal, version } = {}) =>
    attempt(`Opening "${name}"`, signal, async () => {
      const { folder } = placeOf(scope, name);
      const { versions } = await versionFolders(folder);
      const wanted = version === undefined ? versions.at(-1) : versions.find((found) => found === version);
      const artifact = wanted === undefined ? undefined : await readVersion(folder, wanted);
      const missing = (): SkillError => notFound(name, version);
      if (!artifact?.location) throw missing();
      const content = await fileStream(artifact.location, { signal, changed: missing });
      if (!content) throw missing();
      return { artifact, content };
    });

  const list: ArtifactStore["list"] = (scope, { signal } = {}) =>
    attempt("Listing", signal, async () => {
      const newest = await newestVersions(placeOf(scope, "").home, signal);
      return newest.sort((a, b) => (a.name < b.name ? -1 : 1));
    });

  const versions: ArtifactStore["versions"] = (scope, name, { signal } = {}) =>
    attempt(`Listing "${name}"`, signal, async () => {
      const { folder } = placeOf(scope, name);
      const numbers = (await versionFolders(folder)).versions;
      const found = await Promise.all(numbers.map(async (version) => await readVersion(folder, version)));
      return found.filter((artifact) => artifact !== undefined);
    });

  const remove: ArtifactStore["delete"] = (scope, name, { signal } = {}) =>
    attempt(`Deleting "${name}"`, signal, async () => {
      const { home, folder } = placeOf(scope, name);
      return await removeVersions(folder, home);
    });

  async function close(): Promise<void> {}

  return { save, open, list, versions, delete: remove, close, [Symbol.asyncDispose]: close };

  /** Accepts any name; for a name that cannot be saved, the location is always empty. */
  function placeOf(scope: ArtifactScope, name: string): { home: string; folder: string } {
    const home = join(root, scopeFolder(checkArtifactScope(scope)));
    return { home, folder: join(home, artifactFolder(name)) };
  }
}

function notFound(name: string, version: number | undefined): SkillError {
  const what = version === undefined ? `artifact "${name}"` : `version ${version} of the artifact "${name}"`;
  return new SkillError(
    "ARTIFACT_NOT_FOUND",
    `There is no ${what}. List the artifacts to see the existing ones.`,
  );
}
