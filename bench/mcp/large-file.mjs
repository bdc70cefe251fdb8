import { mkdirSync, writeFileSync } from "node:fs";
import { median } from "../format/statistics.mjs";
import { servedFolder } from "./served-folder.mjs";

const LINES = 1_000_000;
const LINE = `${"x".repeat(99)}\n`;
const ROUNDS = 15;

/** The first lines of a file of 100 MB by `skill_read`, when the skill is known, and the memory that this takes at most. */
export async function measure(/** @type {string} */ place) {
  const folder = `${place}/large`;
  mkdirSync(`${folder}/large`, { recursive: true });
  writeFileSync(
    `${folder}/large/SKILL.md`,
    "---\nname: large\ndescription: Has a large file.\n---\nRead data.txt.\n",
  );
  writeFileSync(`${folder}/large/data.txt`, LINE.repeat(LINES));
  const server = await servedFolder(folder);
  const client = await server.client();
  await client.initialize();
  const call = { name: "skill_read", arguments: { skill: "large", path: "data.txt" } };
  const first = performance.now();
  const { result } = await client.ask("tools/call", call);
  const cold = performance.now() - first;
  const before = await server.memory();
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    await client.ask("tools/call", call);
    times.push(performance.now() - started);
  }
  const { peak } = await server.memory();
  const resource = await client.ask("resources/read", { uri: "skill://large/data.txt" });
  client.close();
  await server.close();
  const grown = ((peak - before.bytes) / 1024 ** 2).toFixed(1);
  const shown = `${JSON.stringify(result.content?.[0]?.text ?? "").slice(0, 80)}`;
  return `${median(times).toFixed(1)} ms, first call ${cold.toFixed(0)} ms, ${grown} MiB more memory; the answer begins ${shown}; as one resource: ${resource.error?.message ?? "served"}`;
}
