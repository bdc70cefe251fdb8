/**
 * Keeps one engine, registry or server for the process that forked it: `keeper.mjs <kind> <options as JSON>`. All of its data
 * is in one temporary directory. When the parent disconnects or ends, the kept program is ended and the directory removed.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepCeph } from "../../servers/ceph/keep-ceph.mjs";
import { keepDocker } from "./docker.mjs";
import { endWhatNames } from "./ending.mjs";
import { removeFolder } from "./folder.mjs";
import { keepPodman } from "./podman.mjs";
import { keepRegistry } from "./registry.mjs";
import { keepSshServer } from "./ssh.mjs";

const kinds = new Map(
  /** @type {[string, (folder: string, options: any) => Promise<any>][]} */ ([
    ["docker", keepDocker],
    ["podman", keepPodman],
    ["registry", keepRegistry],
    ["ssh", keepSshServer],
    ["ceph", keepCeph],
  ]),
);
const [kind = "", options = "{}"] = process.argv.slice(2);
const start = kinds.get(kind);
if (!start) throw new Error(`There is no keeper of ${kind}: ${[...kinds.keys()].join(", ")}`);

// A short path, because the path of a socket has at most 108 bytes.
const folder = mkdtempSync(join(tmpdir(), "sw-engine-"));
const kept = start(folder, JSON.parse(options));
kept.catch(() => {}); // told to whoever asks

process.on("message", async (/** @type {any} */ { id, call, args }) => {
  try {
    const { details, calls } = await kept;
    const value = call === "details" ? details : await calls[call](...args);
    process.send?.({ id, value });
  } catch (error) {
    if (process.connected)
      process.send?.({ id, error: error instanceof Error ? error.message : String(error) });
  }
});
for (const sign of ["disconnect", "SIGTERM", "SIGINT", "SIGHUP"]) process.on(sign, end);

let isEnding = false;
async function end() {
  if (isEnding) return;
  isEnding = true;
  try {
    const { stop } = await kept.catch(() => ({ stop: async () => {} }));
    await stop();
  } finally {
    await endWhatNames(folder);
    await removeFolder(folder);
    process.exit();
  }
}
