import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Disposing, RuntimeSubject } from "@skillwright/contracts";
import { ownHost } from "../src/host/own-host.js";
import { localRuntime, localRuntimeOn } from "../src/local-runtime.js";
import type { LocalRuntimeOptions } from "../src/local-runtime-options.js";
import { removeTree } from "../src/storage/remove-tree.js";

/** A directory for one test, removed afterwards. */
export async function temporaryDirectory(
  below = tmpdir(),
): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(below, "skillwright-test-"));
  return { path, remove: () => removeTree(path) };
}

/** Two local runtimes on one fresh root. */
export async function localSubject(
  isolation: LocalRuntimeOptions["isolation"],
  below?: string,
  options: LocalRuntimeOptions = {},
): Promise<RuntimeSubject & Required<Disposing> & { root: string }> {
  const { path, remove } = await temporaryDirectory(below);
  const make = () => localRuntime({ ...options, root: path, isolation });
  const [runtime, other] = [make(), make()];
  const dispose = async () => {
    await Promise.all([runtime.close(), other.close()]);
    await remove();
  };
  return { runtime, other, dispose, root: path };
}

/** The same on a machine without a supervisor. */
export async function unsupervisedSubject(
  isolation: LocalRuntimeOptions["isolation"],
): Promise<RuntimeSubject & Required<Disposing> & { readonly root: string }> {
  const host = { ...ownHost(), supervisor: undefined };
  const { path, remove } = await temporaryDirectory();
  const make = () => localRuntimeOn(host, { root: path, isolation });
  const [runtime, other] = [make(), make()];
  const dispose = async () => {
    await Promise.all([runtime.close(), other.close()]);
    await remove();
  };
  return { runtime, other, dispose, root: path };
}
