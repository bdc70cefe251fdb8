import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import { withinMemory } from "../../../../test/memory/within-memory.js";
import { runScript } from "../../src/stream/run-script.js";
import { printed, type RunPlace } from "./run-place.js";

const MEBIBYTE = 1024 * 1024;
/** Above the output limits, and a fraction of what hostile commands write. */
const MOST_HELD = 16 * MEBIBYTE;

/**
 * Does something hostile and checks the six invariants of the hostile cases: nothing changed outside the
 * workspace, no survivor, bounded memory, nothing unhandled, settled (vitest fails both by itself: hostile commands last
 * longer than it lets a test take), and a benign run afterwards works.
 */
export async function withInvariants<T>(place: RunPlace, work: () => Promise<T>): Promise<T> {
  const changesBefore = await systemChanges(place);
  const outside = hostMark();
  const result = await withinMemory(MOST_HELD, work);
  expect(await survivors(place)).toEqual([]);
  expect(hostMark()).toBe(outside);
  expect(await systemChanges(place)).toEqual(changesBefore);
  expect(await printed(place, "echo ok")).toBe("ok\n");
  return result;
}

/** One line for each process of the run's user: its number and the start of its arguments. */
const OTHERS = `for p in /proc/[0-9]*; do
  [ -O "$p" ] || { read -r line < "$p/stat" && echo "$line"; }
done 2>/dev/null`;

/** Processes in the container other than those of root, which keep it alive. */
export async function survivors({ container }: Pick<RunPlace, "container">): Promise<readonly string[]> {
  const { stdout } = await runScript(container, { script: OTHERS, as: "root" });
  return Buffer.from(stdout).toString("latin1").split("\n").filter(Boolean);
}

/** This package's directory represents all files of the host that a command must not access. */
function hostMark(): string {
  const directory = new URL("../..", import.meta.url);
  const hash = createHash("sha256").update(readFileSync(new URL("package.json", directory)));
  for (const name of readdirSync(directory).sort()) hash.update(name);
  return hash.digest("hex");
}

/** The differences from the image: mount points, which do not change. */
async function systemChanges({
  container: { container },
}: Pick<RunPlace, "container">): Promise<readonly string[]> {
  const changes = ((await container.changes()) ?? []) as readonly { Path: string }[];
  return changes.map(({ Path }) => Path).sort();
}
