import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { built } from "../built.mjs";

const CONVERSATIONS = 20_000;
const FIRST = 1000;
const AT_ONCE = 4;
const MOST_RSS_MIB = 400;
/** The heap at the end, divided by the heap after the first thousand conversations. */
const MOST_GROWTH = 1.25;

/** One server, whose stores are files, answers one message in each of many conversations. Its memory must not grow with their number. */
export async function soak({ share, tell }) {
  const root = await mkdtemp(join(tmpdir(), "skillwright-soak-"));
  const { fsArtifacts, fsRecords } = await built("repository-fs");
  const { agentServer } = await built("server");
  const at = (/** @type {string} */ name) => ({ root: join(root, name) });
  const server = agentServer({
    agents: { assistant: { modelConfig: { provider: "offline", model: "offline planner" } } },
    ...{ records: fsRecords(at("records")), artifacts: fsArtifacts(at("artifacts")) },
    authenticate: () => ({ id: "ada" }),
    limiter: false,
  });
  const total = Math.max(FIRST, Math.round(CONVERSATIONS * share));
  try {
    await conversations(server, 0, FIRST);
    const first = heapMiB();
    for (let done = FIRST; done < total; done += FIRST) {
      await conversations(server, done, Math.min(done + FIRST, total));
      tell(`${done + FIRST} conversations: heap ${heapMiB()} MiB, in memory ${rssMiB()} MiB`);
    }
    const last = heapMiB();
    const rss = rssMiB();
    if (rss > MOST_RSS_MIB) throw new Error(`${rss} MiB are in memory, more than ${MOST_RSS_MIB}`);
    if (last > first * MOST_GROWTH) throw new Error(`the heap grew from ${first} to ${last} MiB`);
    return `${total} conversations: heap ${first} MiB after ${FIRST}, ${last} MiB at the end, ${rss} MiB in memory`;
  } finally {
    await server.close();
    await rm(root, { recursive: true, force: true });
  }
}

async function conversations(server, from, to) {
  let next = from;
  const work = async () => {
    while (next < to) {
      const id = `c${next++}`;
      await asked(server, "", { id });
      const message = { parts: [{ type: "text", text: "Hello" }] };
      const text = await asked(server, `/${id}/turns`, { message });
      if (!text.includes('"finishReason":"stop"'))
        throw new Error(`the turn of ${id} did not end: ${text.slice(-300)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function asked(server, path, json) {
  const init = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(json),
  };
  const answer = await server.fetch(new Request(`http://localhost/v1/conversations${path}`, init));
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return await answer.text();
}

function heapMiB() {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  collect();
  collect();
  return Math.round(process.memoryUsage().heapUsed / 2 ** 20);
}

function rssMiB() {
  return Math.round(process.memoryUsage().rss / 2 ** 20);
}
