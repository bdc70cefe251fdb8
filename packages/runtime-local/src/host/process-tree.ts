import { readdirSync } from "node:fs";
import { type ProcessIdentity, parentOf, processIdentity } from "./process-identity.js";

/**
 * The living descendants of a process. It looks at every process of the machine: some kernels do not tell a process's children, and a
 * child may belong to any thread.
 */
export function descendantsOf(root: number): readonly ProcessIdentity[] {
  const children = new Map<string, number[]>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentOf(Number(name)) ?? "";
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = [root];
  for (const pid of found) found.push(...(children.get(String(pid)) ?? []));
  return found.slice(1).flatMap((pid) => processIdentity(pid) ?? []);
}
