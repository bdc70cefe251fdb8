/**
 * Compares the memory of a process that follows endless output over TLS: our runtime and bare dockerode, each in processes of its own,
 * in turn, on one private engine. Prints a Markdown table; no figure fails the run. The argument is the number of rounds, 3 by default.
 */
import { prepare } from "../../scripts/bootstrap/prepare.mjs";
import { tell } from "../../scripts/bootstrap/step.mjs";
import { startDockerEngine } from "../../scripts/engines/docker-engine.mjs";
import { missingForEngine } from "../../scripts/engines/missing-for-engine.mjs";
import { testImage } from "../../scripts/engines/test-images/test-image.mjs";
import { markdownTable } from "../format/markdown-table.mjs";
import { median } from "../format/statistics.mjs";
import { measureInOwnProcess } from "../workspace/measure-in-own-process.mjs";

const FLOODS = {
  "`yes`": "exec yes",
  "blocks of 64 KiB": "exec dd if=/dev/zero bs=64k status=none",
};
const FOLLOWERS = ["bare", "ours"];
const MEBIBYTE = 1024 ** 2;

const rounds = Number(process.argv[2] ?? 3);
const trouble = missingForEngine("docker");
if (trouble) {
  tell(`Nothing is measured: ${trouble}`);
  process.exit(1);
}
await prepare({ build: ["packages/core", "packages/runtime-docker"] });
const engine = await startDockerEngine({ tls: true });
try {
  const image = await testImage(engine.socket, "base");
  const place = { host: engine.host, certificates: engine.certificates, image };
  const rows = [];
  for (const [flood, command] of Object.entries(FLOODS)) rows.push(...(await rowsOf(flood, command, place)));
  console.log(
    markdownTable(
      ["flood", "follower", "MiB printed", "peak RSS, MiB more", "rounds", "× bare dockerode"],
      rows,
    ),
  );
} finally {
  await engine.stop();
}

async function rowsOf(flood, command, place) {
  /** @type {{ readonly [name: string]: { readonly printed: number, readonly more: number }[] }} */
  const all = Object.fromEntries(FOLLOWERS.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const name of FOLLOWERS) {
      const module = new URL(`flood/${name}.mjs`, import.meta.url).href;
      const { found, failure } = await measureInOwnProcess(module, { ...place, command });
      if (failure) throw new Error(`${name}: ${failure}`);
      all[name]?.push(found);
    }
  const each = (name, what) => (all[name] ?? []).map((found) => found[what] / MEBIBYTE);
  const of = (name, what) => median(each(name, what));
  const span = (name) =>
    [Math.min, Math.max].map((end) => end(...each(name, "more")).toFixed(0)).join(" to ");
  return FOLLOWERS.map((name) => [
    ...[flood, name, of(name, "printed").toFixed(0), of(name, "more").toFixed(1), span(name)],
    (of(name, "more") / of("bare", "more")).toFixed(2),
  ]);
}
