/**
 * Packs each public package as for publication and installs it with npm into an empty project: imports, requires and
 * type-checks it there, on every supported Node, and compares what is installed with the expected list; also bundles an application.
 * `--one-node` does so on the newest Node only. `--update` writes what is installed to expected-installs.json, as of today.
 * A package is not checked again if it passed with the same tarball and the same tarballs of ours that it installs; `--force` checks all.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { fetchNode, nodeVersions } from "../../scripts/bootstrap/fetch-node.mjs";
import { prepare } from "../../scripts/bootstrap/prepare.mjs";
import { root } from "../../scripts/bootstrap/root.mjs";
import { checks } from "../../scripts/checks.mjs";
import { emptyProject } from "../../scripts/packing/empty-project.mjs";
import { packPackages } from "../../scripts/packing/pack-packages.mjs";
import { runCommand } from "../../scripts/run-command.mjs";
import { bundled, checkBundledApp } from "./bundled-app.mjs";
import { checkPackedPackage } from "./check-packed-package.mjs";
import { keptChecks } from "./kept-checks.mjs";
import { checkOlderCompiler } from "./older-compiler.mjs";

const expectationFile = `${root}/test/release/expected-installs.json`;
const update = process.argv.includes("--update");
const versions = process.argv.includes("--one-node") ? nodeVersions.slice(-1) : nodeVersions;

const isForced = update || process.argv.includes("--force");

await prepare();
const { check, passedBefore, close } = checks();
const expected = update
  ? { asOf: new Date().toISOString().slice(0, 10), packages: {} }
  : JSON.parse(readFileSync(expectationFile, "utf8"));
const temporary = mkdtempSync(`${tmpdir()}/skillwright-packed-`);

try {
  const packed = await packPackages();
  const nodes = await Promise.all(
    versions.map(async (version) => ({ version, binary: await fetchNode(version) })),
  );
  const kept = keptChecks({ check, passedBefore }, { packed, nodes, expected, isForced });
  // The longest first.
  const groups = [
    () =>
      kept("all packages", packed, (check) =>
        checkOlderCompiler({ project: `${temporary}/all`, packed, expected, check }),
      ),
    () =>
      kept("an application", bundled(packed), (check) =>
        checkBundledApp({ project: `${temporary}/bundled-app`, packed, expected, check }),
      ),
    ...packed.map(
      (one) => () => kept(one.name, [one], (check) => checkPackage(one, { packed, nodes, check })),
    ),
  ];
  await twoAtOnce(groups);
  if (update) {
    writeFileSync(expectationFile, JSON.stringify(expected));
    await runCommand(`${root}/node_modules/.bin/biome`, ["format", "--write", expectationFile], {
      cwd: root,
    });
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
close();

async function checkPackage(one, { packed, nodes, check }) {
  const project = `${temporary}/${one.name.replace(/^.*\//, "")}`;
  const installed = await check(`${one.name}: npm installs its tarball into an empty project`, () =>
    emptyProject(project, [one], packed, expected.asOf),
  );
  if (installed) await checkPackedPackage({ one, project, packed, nodes, expected, update, check });
}

/** Runs two groups at a time, because an installation spends about half of its time waiting for the disk and the network. */
async function twoAtOnce(/** @type {(() => Promise<void>)[]} */ groups) {
  const waiting = groups.values();
  const next = async () => {
    for (const group of waiting) await group();
  };
  await Promise.all([next(), next()]);
}
