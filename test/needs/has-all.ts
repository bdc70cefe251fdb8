import { existsSync } from "node:fs";
import { describe } from "vitest";
import { root } from "../../scripts/bootstrap/root.mjs";
import { isPath, type Need, needs, outsideTheMachine, type Path } from "./needs.js";

/**
 * Whether this machine has what a suite needs. A test file calls it before it registers the suite. If something is
 * missing, it registers a placeholder instead, from which the table at the end of the run is made; with
 * SKILLWRIGHT_REQUIRE_ALL=1 that is an error. A path, relative to the root, is a directory that the build creates.
 *
 * ```ts
 * if (hasAll("bubblewrap", "packages/workspace/dist"))
 *   describe("a sandboxed run", () => { ... });
 * ```
 */
export function hasAll(...wanted: readonly (Need | Path)[]): boolean {
  const missing = wanted.filter((need) => !isMet(need));
  if (missing.length === 0) return true;
  leaveOut(...missing);
  return false;
}

/** Registers the placeholder of a suite that cannot run here, with the reasons; or throws, as `hasAll` does. */
export function leaveOut(...missing: readonly (Need | Path)[]): void {
  const installable = missing.filter((need) => !outsideTheMachine.includes(need));
  if (process.env["SKILLWRIGHT_REQUIRE_ALL"] === "1" && installable.length > 0)
    throw new Error(`What this file needs is not here: ${installable.join(", ")}`);
  describe(`left out without ${missing.join(", ")}`, { skip: true, meta: { missing } }, () => undefined);
}

const known = new Map<Need | Path, boolean>();

function isMet(need: Need | Path): boolean {
  const met = known.get(need) ?? (isPath(need) ? existsSync(`${root}/${need}`) : needs[need].isMet());
  known.set(need, met);
  return met;
}
