/**
 * Finding skills, side by side with what a user would pick instead: 1,000 and 10,000 folders, also with few file handles;
 * and what a watched catalogue costs. Prints Markdown tables; a slow time never fails the run.
 */
import { readdirSync } from "node:fs";
import { cpus } from "node:os";
import { prepare } from "../scripts/bootstrap/prepare.mjs";
import { root } from "../scripts/bootstrap/root.mjs";
import { tell } from "../scripts/bootstrap/step.mjs";
import { nodeBinary, nodeVersions } from "../scripts/packing/node-binary.mjs";
import { report } from "./catalogue/report.mjs";
import { installPeers } from "./format/install-peers.mjs";

await prepare({ build: ["packages/repository-fs", "packages/skillbox"] });
const node = await nodeForPeers();
const notInstalled = await installPeers();
const peers = notInstalled
  ? []
  : readdirSync(`${root}/bench/peers`)
      .filter((name) => name.endsWith(".mjs"))
      .map((name) => `${root}/bench/peers/${name}`);
console.log(`Node ${node.version}, ${process.platform} ${process.arch}, ${cpus().length} cores.\n`);
console.log(await report({ peers, node: node.path }));
if (notInstalled) console.log(`\nNot measured: the peers: ${notInstalled.split("\n")[0]}`);

/** Most peers need Node 22; all contestants, ours too, run on the same one. */
async function nodeForPeers() {
  const [major] = process.versions.node.split(".");
  if (Number(major) >= 22) return { path: process.execPath, version: process.versions.node };
  const version = nodeVersions.find((one) => one.startsWith("22."));
  tell(`The contestants run on Node ${version}: most peers need Node 22.`);
  return { path: await nodeBinary(version), version };
}
