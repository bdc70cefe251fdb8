import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { seededRandom } from "../format/random.mjs";
import { modelServer } from "./model-server.mjs";
import { moments } from "./moments.mjs";
import { serverProcess } from "./server-process.mjs";
import { keepLine, sharedStores } from "./shared-stores.mjs";
import { turnProblems, unlessNone } from "./turn-problems.mjs";

/** A kill waits for at most so many events of a turn, which has some 80. */
const MOST_EVENTS = 60;
const LATEST_MS = 500;
/** Keys and objects that still exist after this time count as left over. */
const LEFT_MS = 180_000;
/** The share of kills that hit either server; the others hit the one that asked the model last. */
const SHARE_OF_IDLE = 0.25;
const SHARE_AT_ONCE = 0.2;
const client = fileURLToPath(new URL("client-process.mjs", import.meta.url));

/**
 * Two `skillwright serve` share Redis and a bucket, which also has the skill, and a client of a third process has one turn of
 * six steps after the other. In each turn, one of the two is killed with SIGKILL at random moments and started again, while the
 * other goes on. At the end of each turn every command has run once, no event is lost, and when its conversation was deleted
 * nothing of it is left in the stores.
 *
 * @param {{ seed: number, rounds: number, tell: (line: string) => void, sandbox: object }} given
 * `sandbox` is that of the configuration.
 */
export async function killSharedServers({ seed, rounds, tell, sandbox }) {
  const random = seededRandom(seed);
  const folder = await mkdtemp(join(tmpdir(), "skillwright-shared-servers-"));
  await mkdir(join(folder, ".skillwright"));
  const configuration = JSON.stringify({ agent: { sandbox } });
  await writeFile(join(folder, ".skillwright/skillwright.config.json"), configuration);
  const stores = await sharedStores(folder);
  const model = await modelServer(random, keepLine);
  const start = (at) => serverProcess(folder, model.baseURL(at), stores);
  /** @type {Awaited<ReturnType<typeof start>>[]} */
  const servers = [];
  const struck = moments();
  let [kills, takenOver] = [0, 0];
  try {
    servers.push(...(await Promise.all([start(0), start(1)])));
    for (let round = 0; round < rounds; round++) {
      const name = `turn-${round}`;
      const events = await turn(name);
      takenOver += events.filter(isTakenOver).length;
      await checked(name, events);
      if (round % 20 === 19) tell(`${round + 1} turns, ${kills} kills`);
    }
  } finally {
    for (const { kill } of servers) await kill();
    model.close();
    await stores.stop();
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  return `${kills} kills of one of two servers (${struck}) in ${rounds} turns, ${takenOver} of them taken over`;

  async function turn(name) {
    const child = fork(client, [name]);
    const killNow = () => void child.kill("SIGKILL");
    process.once("exit", killNow);
    const events = [];
    child.on("message", (event) => void events.push(event));
    const tellServers = () =>
      child.connected && child.send(servers.map(({ address, token }) => ({ address, token })));
    tellServers();
    const over = once(child, "exit").then(([code]) => ({ code }));
    try {
      while (!(await isOver(child, events, over))) {
        const at = random.chance(SHARE_OF_IDLE) ? random.pick([0, 1]) : Number(model.asking());
        struck.add(events);
        await servers[at]?.kill();
        kills++;
        servers[at] = await start(at);
        tellServers();
      }
    } finally {
      process.off("exit", killNow);
      killNow();
    }
    const { code } = await over;
    if (code !== 0) throw new Error(`${name}: the client ended with ${code}`);
    return events;
  }

  /** Waits for some more events and some time, or only for the time, at random. Returns whether the turn has ended before. */
  async function isOver(child, events, over) {
    const due = random.chance(SHARE_AT_ONCE)
      ? 0
      : events.length + random.pick([...Array(MOST_EVENTS).keys()]);
    while (events.length < due) {
      const told = await Promise.race([over, once(child, "message").then(() => undefined)]);
      if (told !== undefined) return true;
    }
    const waits = setTimeout(random.pick([...Array(LATEST_MS).keys()]));
    return (await Promise.race([over, waits])) !== undefined;
  }

  async function checked(name, events) {
    const read = async (path) => await (await servers[0]?.ask(path))?.text();
    const file = await read(`/conversations/${name}/files/text?path=work/lines.txt`);
    const lines = JSON.parse(file).text?.trim().split("\n") ?? file;
    const problems = await turnProblems({ name, events, lines, read });
    const deleted = await servers[1]?.ask(`/conversations/${name}`, { method: "DELETE" });
    if (deleted?.status !== 204) problems.push(`the conversation was not deleted: ${await deleted?.text()}`);
    const left = await leftAtLast(stores.left);
    if (left.length > 0) problems.push(`${left.join(", ")} are left`);
    const shown = servers.map((server) => server.shown()).join("");
    unlessNone(name, problems, [...events, { shown }]);
  }
}

/** A restarted server sweeps all workspaces and holds the lease of each one while it does, so that the stores need a moment to be empty. */
async function leftAtLast(look) {
  const deadline = performance.now() + LEFT_MS;
  let left = await look();
  while (left.length > 0 && performance.now() < deadline) {
    await setTimeout(100);
    left = await look();
  }
  return left;
}

function isTakenOver({ type, data }) {
  return type === "data-diagnostic" && data.code === "turn.taken-over";
}
