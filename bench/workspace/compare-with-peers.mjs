import { readdirSync } from "node:fs";
import { root } from "../../scripts/bootstrap/root.mjs";
import { installPeers, peerVersion } from "../format/install-peers.mjs";
import { takeTurns } from "../format/rounds.mjs";
import { startContestant } from "./start-contestant.mjs";

export const peerTurns = { warmUp: 5, rounds: 25 };

/** Create, stage, run and collect, ours and the peers': `{ results, notInstalled, failed }`, ours first. */
export async function compareWithPeers(node) {
  const notInstalled = await installPeers();
  const modules = [
    ...modulesIn(`${root}/bench/workspace/contestants`),
    ...(notInstalled ? [] : modulesIn(`${root}/bench/peers/workspace`)),
  ];
  const contestants = [];
  try {
    for (const module of modules) contestants.push(await startContestant(module, node));
    const able = contestants.filter(({ facts }) => !facts.error);
    const results = await takeTurns(able, "use", peerTurns);
    const failed = [
      ...contestants
        .filter(({ facts }) => facts.error)
        .map(({ module, facts }) => `${module}: ${facts.error}`),
      ...results
        .filter(({ failure }) => failure)
        .map(({ contestant, failure }) => `${contestant.module}: ${failure}`),
    ];
    return { results: results.filter(({ failure }) => !failure).map(described), notInstalled, failed };
  } finally {
    for (const contestant of contestants) await contestant.close();
  }
}

function modulesIn(directory) {
  return readdirSync(directory)
    .filter((name) => name.endsWith(".mjs"))
    .sort()
    .map((name) => `${directory}/${name}`);
}

function described({ contestant: { facts }, cold, rounds }) {
  const title = facts.title ?? `${facts.from} ${peerVersion(facts.from)}`;
  return { title, note: facts.note, isOurs: facts.isOurs, cold, rounds };
}
