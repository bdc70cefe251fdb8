/**
 * A catalogue of 10,000 skills on each store, compared with what the client below it needs for the same: requests, bytes and time of
 * listings, of loading a skill, and of a change until other processes see it. Starts its own S3 server and Redis. Prints
 * Markdown tables; times are shown with our aims and never fail the run. Arguments name the parts; all by default.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { prepare } from "../scripts/bootstrap/prepare.mjs";
import { root } from "../scripts/bootstrap/root.mjs";
import { tell } from "../scripts/bootstrap/step.mjs";
import { startCephS3 } from "../scripts/servers/ceph-s3.mjs";
import { missingForCeph } from "../scripts/servers/missing-for-ceph.mjs";
import { median } from "./format/statistics.mjs";
import { parts } from "./stores/parts.mjs";
import { keepPlace } from "./stores/place.mjs";
import { startRedis } from "./stores/redis-server.mjs";
import { storeRows, storeTable } from "./stores/store-table.mjs";
import { aimsList } from "./workspace/aims.mjs";
import { measureInOwnProcess } from "./workspace/measure-in-own-process.mjs";

const packages = ["core", "metadata-redis", "repository-fs", "repository-s3", "skillbox"];
const wanted = process.argv.slice(2);
const missing = [];

const unknown = wanted.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  tell(`There is no part ${unknown.join(", ")}. Parts: ${Object.keys(parts).join(", ")}.`);
  process.exit(2);
}
const trouble = troubleWithServers();
if (trouble) {
  tell(`Nothing is measured: ${trouble}`);
  process.exit(1);
}
await prepare({ build: packages.map((name) => `packages/${name}`) });
const directory = mkdtempSync(`${tmpdir()}/skillwright-bench-`);
const [s3, redis] = await Promise.all([startCephS3(), startRedis(directory)]);
try {
  const { endpoint, accessKeyId, secretAccessKey } = s3;
  keepPlace(directory, { s3: { endpoint, accessKeyId, secretAccessKey }, redisPort: redis.port });
  await report();
} finally {
  await Promise.all([s3.stop(), redis.stop()]);
  rmSync(directory, { recursive: true, force: true });
}

async function report() {
  const chosen = Object.entries(parts).filter(([name]) => wanted.length === 0 || wanted.includes(name));
  const fills = [...new Set(chosen.flatMap(([, { fills: needed }]) => needed))];
  const filled = await measured("filling", { parts: fills });
  if (!filled) throw new Error(missing.join("; "));
  for (const [name, seconds] of Object.entries(filled.seconds))
    tell(`  ${name} filled in ${seconds.toFixed(0)} s`);
  console.log(
    `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} cores, which the servers share. ` +
      `${filled.skills} skills, ${filled.files} files, ${(filled.bytes / 1e6).toFixed(0)} MB. What is compared takes turns.\n`,
  );
  const judgements = [];
  for (const [name, part] of chosen) {
    const found = await measured(part.measure ?? name, {});
    if (!found) continue;
    console.log(`### ${part.title}\n\n${storeTable(storeRows(found, part.floors))}\n`);
    judgements.push(...(part.musts?.(found) ?? []), ...aimsOf(part, found));
  }
  console.log(`### Aims\n\n${aimsList(judgements)}`);
  console.log(
    `\nNot measured: ${missing.length === 0 ? "nothing." : missing.join("; ").replaceAll(`${root}/`, "")}`,
  );
}

async function measured(name, options) {
  const answer = await measureInOwnProcess(`${root}/bench/stores/measures/${name}.mjs`, {
    directory,
    ...options,
  });
  if (!answer.found) missing.push(`${name}: ${answer.failure}`);
  return answer.found;
}

function aimsOf({ aims = {}, floors }, { times }) {
  return Object.entries(aims).map(([row, [what, aim]]) => {
    const ratio = median(times[row]) / median(times[floors[row]]);
    return {
      what: `${what} at most ${aim} times`,
      measured: `${ratio.toFixed(2)} times`,
      met: ratio <= aim,
      kind: "aim",
    };
  });
}

function troubleWithServers() {
  if (spawnSync("redis-server", ["--version"]).status === 0) return missingForCeph();
  return "redis-server not found; what to do: apt-get install redis-server";
}
