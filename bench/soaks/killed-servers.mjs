import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { startPostgresServer } from "../../scripts/servers/postgres-server.mjs";
import { seededRandom } from "../format/random.mjs";
import { clientTurn } from "../killed-servers/client.mjs";
import { modelServer } from "../killed-servers/model-server.mjs";
import { moments } from "../killed-servers/moments.mjs";
import { serverProcess } from "../killed-servers/server-process.mjs";
import { turnProblems, unlessNone } from "../killed-servers/turn-problems.mjs";
import { startRedis } from "../stores/redis-server.mjs";

export const needs = [
  ...["supervisor", "packages/cli/dist", "packages/server/dist"],
  ...["redis-server", "a PostgreSQL server"],
];

const KILLS = 1000;
const LATEST_KILL_MS = 1500;

/** The stores of conversations and turns. `argv` are further arguments of `skillwright serve`; `stop` ends the store's server. */
const STORES = {
  files: async () => ({ argv: [], stop: async () => undefined }),
  SQLite: async (folder) => ({
    argv: ["--records", `sqlite:${join(folder, "metadata.sqlite")}`],
    stop: async () => undefined,
  }),
  Redis: async (folder) => {
    const { port, stop } = await startRedis(folder);
    return { argv: ["--records", `redis://127.0.0.1:${port}`], stop };
  },
  PostgreSQL: async () => {
    const { url, stop } = await startPostgresServer();
    return { argv: ["--records", url], stop };
  },
};

/**
 * Kills `skillwright serve` with SIGKILL at random moments of turns of six steps, again and again until each turn has
 * ended in some process, with a quarter of the kills on each store. Each command appends its line to a file: at the end every
 * line is there once, the client's stream has no gap and an end, and the history has every answer.
 */
export async function soak({ seed, share, tell }) {
  const random = seededRandom(seed);
  const wanted = Math.max(1, Math.round((KILLS * share) / Object.keys(STORES).length));
  const results = [];
  for (const [name, start] of Object.entries(STORES)) {
    results.push(`${name}: ${await overStore(start, { random, wanted, tell })}`);
    tell(results.at(-1));
  }
  return `${results.join("; ")}. Every command ran once, and no event was lost`;
}

async function overStore(startStore, { random, wanted, tell }) {
  const folder = await mkdtemp(join(tmpdir(), "skillwright-killed-servers-"));
  await mkdir(join(folder, ".skillwright"));
  const sandbox = { root: join(folder, "workspaces"), isolation: "none" };
  await writeFile(
    join(folder, ".skillwright/skillwright.config.json"),
    JSON.stringify({ agent: { sandbox } }),
  );
  const file = join(folder, "lines.txt");
  const store = await startStore(folder);
  const model = await modelServer(random, (given) => workspaceRun(file, given));
  const servers = await killedServers({ folder, model, random, wanted, argv: store.argv });
  let turns = 0;
  try {
    for (; turns === 0 || servers.kills() < wanted; turns++) {
      const name = `turn-${turns}`;
      const events = servers.begin();
      await clientTurn(name, name, servers.now, events);
      const written = await readFile(file, "utf8");
      const lines = written.split("\n").filter((line) => line.startsWith(`${name}-`));
      const read = (path) => untilAnswered(path, servers.now);
      unlessNone(name, await turnProblems({ name, events, lines, read }), events);
      if (turns % 20 === 19) tell(`${turns + 1} turns, ${servers.kills()} kills`);
    }
  } finally {
    await servers.stop();
    model.close();
    await store.stop();
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  return `${servers.kills()} kills (${servers.moments()}) in ${turns} turns`;
}

/** One server after another, each killed at a random moment of its life, until there were enough kills. */
async function killedServers({ folder, model, random, wanted, argv }) {
  let kills = 0;
  let isOver = false;
  /** What the client of the turn has read. */
  let events = [];
  const struck = moments();
  const start = () => serverProcess(folder, model.baseURL("one"), { argv: ["--isolation", "none", ...argv] });
  let now = start();
  const killing = (async () => {
    while (!isOver && kills < wanted) {
      const server = await now;
      await setTimeout(random.pick([...Array(LATEST_KILL_MS).keys()]));
      struck.add(events);
      await server.kill();
      kills++;
      now = start();
    }
  })();
  return {
    kills: () => kills,
    moments: () => `${struck}`,
    begin: () => {
      events = [];
      return events;
    },
    now: () => now,
    stop: async () => {
      isOver = true;
      await killing;
      await (await now).kill();
    },
  };
}

function workspaceRun(file, { line, seconds, isSaved }) {
  const end = isSaved ? `echo ${line} > "$OUTPUT_DIR/${line}.txt"; ` : "";
  const command = `echo ${line} >> "${file}"; echo begun ${line}; sleep ${seconds}; ${end}echo ended ${line}`;
  const outputs = isSaved ? { outputs: { globs: ["out/**"], save: true } } : {};
  return { name: "workspace_run", arguments: JSON.stringify({ command, ...outputs }) };
}

/** Any server may be killed while it answers. */
async function untilAnswered(path, serverNow) {
  for (;;)
    try {
      const answer = await (await serverNow()).ask(path);
      const text = await answer.text();
      if (answer.status === 200 && (!path.endsWith("/stream") || text.includes("[DONE]"))) return text;
    } catch {}
}
