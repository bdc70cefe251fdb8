import { spawnSync } from "node:child_process";

const known = new Map<string, boolean>();

/** Whether a command is there. Where it is not, its tests are not registered, and a line says so. */
export function hasTool(name: string): boolean {
  const found = known.get(name);
  if (found !== undefined) return found;
  // Each of them answers one of the two; what counts is that there was somebody to answer.
  const there =
    spawnSync(name, [name === "tar" || name === "python3" ? "--version" : "-v"]).error === undefined;
  known.set(name, there);
  if (!there) {
    const message = `archive: what ${name} makes of archives is not tested, it is not there`;
    if (process.env["SKILLWRIGHT_REQUIRE_ALL"] === "1" && (name === "tar" || name === "python3"))
      throw new Error(message);
    console.log(message);
  }
  return there;
}
