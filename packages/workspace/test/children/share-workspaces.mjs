/**
 * One of several processes that work in the same workspaces, from the built packages:
 * `share-workspaces.mjs <directory> <isolation> <first operation> <operations>`. Tells each operation on standard output
 * when it begins and when it has ended, as JSON lines with a time that all processes of the machine share.
 */
import path from "node:path";
import { recordRegistry } from "@skillwright/records";
import { fsRecords } from "@skillwright/repository-fs";
import { memoryRepository } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { workspaceManager } from "@skillwright/workspace";

const [directory = "", isolation = "none", first = "0", count = "0"] = process.argv.slice(2);
const LANES = 2;
const KEYS = ["a", "b", "c"];

const manager = workspaceManager({
  skills: skillBox({ own: memoryRepository() }),
  runtime: localRuntime({ root: path.join(directory, "workspaces"), isolation }),
  registry: recordRegistry(fsRecords({ root: path.join(directory, "registry") })),
  onDiagnostic: ({ code, message }) => tell({ diagnostic: `${code} ${message}` }),
});
const sessionOf = (key) => ({ app: "share", user: "ada", session: key });
const ids = new Map();

const operations = {
  async open(_id, key) {
    await manager.forSession(sessionOf(key));
    return "ok";
  },
  async append(id, _key, name) {
    const command = `echo ${name} >> work/log; sleep 0.00$((RANDOM % 10)); cat work/log`;
    const { exitCode, stdout } = await manager.run(id, { command });
    return exitCode === 0 ? stdout.text.trim().split("\n").join(" ") : "gone";
  },
  upload: async (id, _key, name) =>
    (await manager.upload(id, "f.txt", name)).path.slice("work/inputs/".length),
  files: async (id) => String((await manager.files(id, "work/inputs")).length),
  destroy: async (id) => String(await manager.destroy(id)),
};

let next = Number(first);
const end = next + Number(count);

async function lane() {
  while (next < end) {
    const name = `${process.pid}-${next++}`;
    const key = KEYS[Math.floor(Math.random() * KEYS.length)];
    const kind = pick();
    const id = ids.get(key) ?? (await idOf(key));
    tell({ begin: name, key, kind, at: now() });
    const result = await operations[kind](id, key, name).catch((error) => {
      if (error.code === "WORKSPACE_NOT_FOUND") return "gone";
      return `error ${error.code} ${error.message}`;
    });
    tell({ end: name, result, at: now() });
  }
}

/** The id is made from the session and does not change; asking for it makes the workspace, which is an operation too. */
async function idOf(key) {
  const name = `${process.pid}-id-${key}-${Math.random()}`;
  tell({ begin: name, key, kind: "open", at: now() });
  const { id } = await manager.forSession(sessionOf(key));
  tell({ end: name, result: "ok", at: now() });
  ids.set(key, id);
  return id;
}

function pick() {
  const dice = Math.random();
  if (dice < 0.2) return "open";
  if (dice < 0.6) return "append";
  if (dice < 0.8) return "upload";
  return dice < 0.9 ? "files" : "destroy";
}

function now() {
  return Number(process.hrtime.bigint() / 1000n);
}

function tell(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

await Promise.all(Array.from({ length: LANES }, lane));
await manager.close();
