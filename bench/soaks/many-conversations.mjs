import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "../../scripts/run-command.mjs";

const CONVERSATIONS = 20_000;
const FIRST = 1000;
const MOST_RSS_MIB = 400;
/** The heap at the end, divided by the heap after the first thousand conversations. */
const MOST_GROWTH = 1.25;
const server = fileURLToPath(new URL("../soak/conversing-server.mjs", import.meta.url));

/** One server, whose stores are files, answers one message in each of many conversations. Its memory must not grow with their number. */
export async function soak({ share, tell }) {
  const root = await mkdtemp(join(tmpdir(), "skillwright-soak-"));
  const total = Math.max(FIRST, Math.round(CONVERSATIONS * share));
  try {
    const show = (/** @type {string} */ text) => tell(text.trimEnd());
    const { stdout } = await runCommand(process.execPath, [server, root, String(total)], { show });
    const steps = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const [first, last] = [steps[0], steps.at(-1)];
    const rss = Math.max(...steps.map(({ rssMiB }) => rssMiB));
    if (rss > MOST_RSS_MIB) throw new Error(`${rss} MiB are in memory, more than ${MOST_RSS_MIB}`);
    if (last.heapMiB > first.heapMiB * MOST_GROWTH)
      throw new Error(`the heap grew from ${first.heapMiB} to ${last.heapMiB} MiB`);
    return `${last.conversations} conversations: heap ${first.heapMiB} MiB after ${first.conversations}, ${last.heapMiB} MiB at the end, at most ${rss} MiB in memory`;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
