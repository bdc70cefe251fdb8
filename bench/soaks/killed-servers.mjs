import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { seededRandom } from "../format/random.mjs";
import { clientTurn } from "../killed-servers/client.mjs";
import { modelServer, STEPS } from "../killed-servers/model-server.mjs";
import { serverProcess } from "../killed-servers/server-process.mjs";

export const needs = ["supervisor", "packages/cli/dist", "packages/server/dist"];

const KILLS = 1000;
const LATEST_KILL_MS = 1500;

/**
 * Kills `skillwright serve` with SIGKILL at random moments of turns of six steps, again and again until each turn has
 * ended in some process. Each command appends its line to a file: at the end every line is there once, the client's stream
 * has no gap and an end, and the history has every answer.
 */
export async function soak({ seed, share, tell }) {
  const random = seededRandom(seed);
  const wanted = Math.max(1, Math.round(KILLS * share));
  const folder = await mkdtemp(join(tmpdir(), "skillwright-killed-servers-"));
  await mkdir(join(folder, ".skillwright"));
  const sandbox = { root: join(folder, "workspaces"), isolation: "none" };
  await writeFile(
    join(folder, ".skillwright/skillwright.config.json"),
    JSON.stringify({ agent: { sandbox } }),
  );
  const file = join(folder, "lines.txt");
  const model = await modelServer(file, random);
  const servers = await killedServers({ folder, model, random, wanted });
  let turns = 0;
  try {
    for (; turns === 0 || servers.kills() < wanted; turns++) {
      const name = `turn-${turns}`;
      const events = servers.begin();
      await clientTurn(name, name, servers.now, events);
      await check({ events, name, file, serverNow: servers.now });
      if (turns % 20 === 19) tell(`${turns + 1} turns, ${servers.kills()} kills`);
    }
  } finally {
    await servers.stop();
    model.close();
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  return `${servers.kills()} kills (${servers.moments()}) in ${turns} turns: every command ran once, and no event was lost`;
}

/** One server after another, each killed at a random moment of its life, until there were enough kills. */
async function killedServers({ folder, model, random, wanted }) {
  let kills = 0;
  let isOver = false;
  /** What the client of the turn has read. */
  let events = [];
  const moments = new Map();
  let now = serverProcess(folder, model.baseURL);
  const killing = (async () => {
    while (!isOver && kills < wanted) {
      const server = await now;
      await setTimeout(random.pick([...Array(LATEST_KILL_MS).keys()]));
      const moment = momentOf(events);
      await server.kill();
      moments.set(moment, (moments.get(moment) ?? 0) + 1);
      kills++;
      now = serverProcess(folder, model.baseURL);
    }
  })();
  return {
    kills: () => kills,
    moments: () => [...moments].map(([moment, count]) => `${count} ${moment}`).join(", "),
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

/** Where the turn was, by the last event that the client had. */
function momentOf(events) {
  const { type, data } = events.at(-1) ?? {};
  if (type === undefined) return "before the first event";
  if (type === "finish") return "after the end";
  if (type === "data-run") return data.state === "ended" ? "after a run" : "during a run";
  if (type === "tool-input-available") return "before a run";
  return /^(text|start)/.test(type) ? "during a call of the model" : "between steps";
}

async function check({ events, name, file, serverNow }) {
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line.startsWith(`${name}-`));
  const due = Array.from({ length: STEPS - 1 }, (_, index) => `${name}-${index + 1}`);
  const problems = [
    String(lines) !== String(due) && `the commands ran as ${lines}`,
    events.at(-1)?.finishReason !== "stop" && `the stream ended with ${JSON.stringify(events.at(-1))}`,
    ...due.map((line) => !events.some(answered(line)) && `no answer has the output of ${line}`),
    events.filter(({ type }) => type === "data-artifact").length === 0 && "no file was saved",
  ].filter(Boolean);
  const whole = await untilAnswered(`/conversations/${name}/turns/${events[0]?.messageId}/stream`, serverNow);
  const told = [...whole.matchAll(/^data: (\{.*\})$/gm)].map(([, data]) => data);
  if (String(told) !== String(events.map((event) => JSON.stringify(event))))
    problems.push(`the client has ${events.length} events and the turn ${told.length}`);
  const history = JSON.parse(await untilAnswered(`/conversations/${name}/messages`, serverNow));
  if (history.length !== 2 || !JSON.stringify(history).includes(`step ${STEPS}`))
    problems.push(`the history has ${history.length} messages`);
  if (problems.length > 0)
    throw new Error(
      `${name}: ${problems.join("; ")}\n${events.map((event) => JSON.stringify(event)).join("\n")}`,
    );
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

function answered(line) {
  return ({ type, output }) =>
    type === "tool-output-available" && output.stdout === `begun ${line}\nended ${line}\n`;
}
