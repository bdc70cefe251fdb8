import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type ArtifactStore,
  type ArtifactVersion,
  containedPath,
  type SessionScope,
} from "@skillwright/core";

/**
 * Copies artifacts to `directory` under their own names, side by side, so that a report finds the picture it links to.
 * An older copy is replaced; the store keeps every version. Returns the absolute paths.
 */
export async function handOver(
  store: ArtifactStore,
  scope: SessionScope,
  artifacts: readonly ArtifactVersion[],
  directory: string,
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const { name, version } of artifacts) {
    const { content } = await store.open(scope, name, { version });
    const path = join(directory, ...containedPath(name).split("/"));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.part`, content);
    await rename(`${path}.part`, path);
    paths.push(path);
  }
  return [...new Set(paths)];
}
