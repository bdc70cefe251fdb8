import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Disposing, RuntimeSubject } from "@skillwright/core/testing";
import { type LocalRuntimeOptions, localRuntime } from "../src/index.js";
import { removeTree } from "../src/storage/remove-tree.js";

/** A directory of its own for one test, gone afterwards. */
export async function temporaryDirectory(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "skillwright-test-"));
  return { path, remove: () => removeTree(path) };
}

/** Two local runtimes on one fresh root. */
export async function localSubject(
  isolation: LocalRuntimeOptions["isolation"],
): Promise<RuntimeSubject & Required<Disposing> & { root: string }> {
  const { path, remove } = await temporaryDirectory();
  const [runtime, other] = [localRuntime({ root: path, isolation }), localRuntime({ root: path, isolation })];
  const dispose = async () => {
    await Promise.all([runtime.close(), other.close()]);
    await remove();
  };
  return { runtime, other, dispose, root: path };
}
