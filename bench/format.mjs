/**
 * Compares reading SKILL.md with other packages: texts in memory, directories on disk, hostile texts.
 * Prints Markdown tables; times are shown with our aims and never fail the run.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { prepare } from "../scripts/bootstrap/prepare.mjs";
import { root } from "../scripts/bootstrap/root.mjs";
import { aimsReport } from "./format/aims-report.mjs";
import { contestantTitle } from "./format/contestant-title.mjs";
import { layOutCorpus } from "./format/corpus.mjs";
import { folderTable } from "./format/folder-table.mjs";
import { hostileTable } from "./format/hostile-table.mjs";
import { installPeers } from "./format/install-peers.mjs";
import { startContestant } from "./format/start-contestant.mjs";
import { textTable } from "./format/text-table.mjs";

const textTurns = { warmUp: 5, rounds: 15 };
const folderTurns = { warmUp: 2, rounds: 9 };
const ours = ["skillwright.mjs", "skillwright-list.mjs"].map((name) => `${root}/bench/format/${name}`);

await prepare({ build: ["packages/core", "packages/repository-fs"] });
const notInstalled = await installPeers();
const peers = notInstalled
  ? []
  : readdirSync(`${root}/bench/peers`)
      .filter((name) => name.endsWith(".mjs"))
      .map((name) => `${root}/bench/peers/${name}`);
const temporary = mkdtempSync(`${tmpdir()}/skillwright-format-`);
const contestants = [];
try {
  const corpus = layOutCorpus(temporary);
  for (const module of [...ours, ...peers]) {
    contestants.push(await startContestant({ module, corpus: temporary, node: process.execPath }));
  }
  await report(corpus);
} finally {
  for (const contestant of contestants) contestant.close();
  rmSync(temporary, { recursive: true, force: true });
}

async function report(corpus) {
  const able = (kind) => contestants.filter(({ facts }) => !facts.error && facts[kind]);
  const texts = await textTable(able("text"), textTurns);
  const folders = await folderTable(able("folders"), folderTurns, corpus.count);
  const yamlReaders = able("text").filter(({ module }) =>
    /\/(skillwright|gray-matter|yaml)\.mjs$/.test(module),
  );
  const readers = yamlReaders.map(({ module, facts }) => ({
    module,
    title: `${contestantTitle(facts)}, ms`,
  }));
  const hostile = await hostileTable(readers, { node: process.execPath, cwd: temporary });
  const { skills } = JSON.parse(readFileSync(`${temporary}/index.json`, "utf8"));

  console.log(
    `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} cores; ${corpus.title}: ` +
      `${corpus.count} files, of which ${corpus.loadable} are to load. Every reader has a process of its own, and they take turns.\n`,
  );
  console.log(`### Texts in memory: median of ${textTurns.rounds} rounds\n\n${texts.table}\n`);
  console.log(`### Folders on disk: median of ${folderTurns.rounds} rounds\n\n${folders.table}\n`);
  console.log(`### Hostile texts: median of 5 calls (the first call)\n\n${hostile.table}\n`);
  console.log(aimsReport({ texts, hostile, skills }));
  const missing = [
    ...(notInstalled ? [`the peers: ${notInstalled.split("\n")[0]}`] : []),
    ...contestants.filter(({ facts }) => facts.error).map(({ module, facts }) => `${module}: ${facts.error}`),
    ...[...texts.failures, ...folders.failures].map(
      ({ contestant, failure }) => `${contestant.module}: ${failure}`,
    ),
  ];
  console.log(
    `\nNot measured: ${missing.length === 0 ? "nothing." : missing.join("; ").replaceAll(`${root}/`, "")}`,
  );
}
