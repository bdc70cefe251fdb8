/**
 * A server, whose stores are files below the first argument, answers one message in each of as many conversations as the second says.
 * After each thousand it prints a line of JSON with its memory in MiB. It is a process of its own, so that nobody else's memory counts.
 */
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { built } from "../built.mjs";

const STEP = 1000;
const AT_ONCE = 4;

const [root = "", total = ""] = process.argv.slice(2);
const { fsArtifacts, fsRecords } = await built("repository-fs");
const { agentServer } = await built("server");
const at = (/** @type {string} */ name) => ({ root: join(root, name) });
const server = agentServer({
  agents: { assistant: { modelConfig: { provider: "offline", model: "offline planner" } } },
  ...{ records: fsRecords(at("records")), artifacts: fsArtifacts(at("artifacts")) },
  authenticate: () => ({ id: "ada" }),
  limiter: false,
});
for (let done = 0; done < Number(total); done += STEP) {
  const to = Math.min(done + STEP, Number(total));
  await conversations(server, done, to);
  console.log(JSON.stringify({ conversations: to, heapMiB: heapMiB(), rssMiB: rssMiB() }));
}
await server.close();

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
