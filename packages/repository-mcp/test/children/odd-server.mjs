// An MCP server without any SDK, which behaves as its first argument says. The second one is a file for its process ids.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [kind, mark] = process.argv.slice(2);
const EXTENSION = "io.modelcontextprotocol/skills";
const uri = "skill://one/SKILL.md";
const text = "---\nname: one\ndescription: Does one.\n---\nDo it.\n";
const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
const entry = {
  uri,
  frontmatter: { name: "one", description: "Does one." },
  resources: [{ uri, digest, size: text.length }],
};

const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { resources: {}, ...(kind !== "no-skills" && { extensions: { [EXTENSION]: {} } }) },
    serverInfo: { name: "odd", version: "1" },
  }),
  "skills/list": () => ({ skills: [entry] }),
  "resources/read": () => ({
    contents: [{ uri, text: kind === "environment" ? JSON.stringify(process.env) : text }],
  }),
};

function answer({ id, method, params }) {
  if (id === undefined) return;
  const result = results[method]?.(params);
  send(result ? { id, result } : { id, error: { code: -32601, message: "Method not found" } });
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function flood(stream, piece, times = Number.POSITIVE_INFINITY) {
  for (let sent = 0; sent < times; sent++) if (!stream.write(piece)) await once(stream, "drain");
}

const NOTICE = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x".repeat(4096) } })}\n`;

/** What it does with a request for the list, where that is not an honest answer. */
const oddities = {
  silent: () => undefined,
  garbage: (request) => {
    process.stdout.write('Starting up...\n{"no": "message"}\n[\n\u0000\xff\n');
    answer(request);
  },
  "garbage-for-ever": () => flood(process.stdout, "Working on it...\n".repeat(500)),
  "line-for-ever": () => flood(process.stdout, "x".repeat(8192)),
  "notices-for-ever": () => flood(process.stdout, NOTICE),
  "error-flood": async (request) => {
    await flood(process.stderr, "e".repeat(65_536), 256);
    answer(request);
  },
  "half-answer": ({ id }) => process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"skills":[`),
  dying: ({ id }) => {
    process.stderr.write("I am \u001b[31mout of memory\n");
    process.stdout.write(`{"jsonrpc":"2.0","id":${id},"resu`, () => process.exit(3));
  },
  "two-answers": (request) => {
    answer(request);
    send({ id: request.id, result: { skills: [] } });
    send({ id: 4711, result: {} });
  },
  refusing: ({ id }) => send({ id, error: { code: -32000, message: "No \u001b[2Jskills today" } }),
};

if (kind === "dying-at-once") {
  process.stderr.write("no licence\n");
  process.exit(4);
}
if (kind === "stubborn") {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => undefined);
  setInterval(() => undefined, 1000);
  const helper = spawn("sh", ["-c", "trap '' TERM HUP INT; while :; do sleep 1; done"], { stdio: "inherit" });
  writeFileSync(mark, `${process.pid} ${helper.pid}`);
} else if (mark) writeFileSync(mark, String(process.pid));

let isFirst = true;
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  if (isFirst && kind === "earlier" && request.method !== "initialize") process.exit(1);
  isFirst = false;
  if (kind === "mute") continue;
  const odd = request.method === "skills/list" ? oddities[kind] : undefined;
  if (odd) await odd(request);
  else answer(request);
}
