import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Disposing, RuntimeSubject } from "@skillwright/core/testing";
import { SYSTEM_DIRECTORIES } from "../src/host/find-program.js";
import { ownHostPrograms } from "../src/host/interpreters.js";
import { type LocalRuntimeOptions, localRuntime, localRuntimeOn } from "../src/local-runtime.js";
import { removeTree } from "../src/storage/remove-tree.js";

/** A directory of its own for one test, gone afterwards. */
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
): Promise<RuntimeSubject & Required<Disposing> & { root: string }> {
  const { path, remove } = await temporaryDirectory(below);
  const [runtime, other] = [localRuntime({ root: path, isolation }), localRuntime({ root: path, isolation })];
  const dispose = async () => {
    await Promise.all([runtime.close(), other.close()]);
    await remove();
  };
  return { runtime, other, dispose, root: path };
}

/** The same without isolation on a machine that has no control groups. */
export async function ungroupedSubject(): Promise<RuntimeSubject & Required<Disposing>> {
  const host = {
    ...ownHostPrograms(),
    platform: "linux",
    directories: SYSTEM_DIRECTORIES,
    controlGroups: new Map(),
  };
  const { path, remove } = await temporaryDirectory();
  const make = () => localRuntimeOn(host, { root: path, isolation: "none" });
  const [runtime, other] = [make(), make()];
  const dispose = async () => {
    await Promise.all([runtime.close(), other.close()]);
    await remove();
  };
  return { runtime, other, dispose };
}
