import childProcess from "node:child_process";
import { readFileSync } from "node:fs";
import { alternate } from "../alternate.mjs";
import { openHouse, temporaryDirectory } from "../house.mjs";
import { raiseSkillLimits } from "../raise-skill-limits.mjs";
import { recordedSpawns } from "../recorded-spawns.mjs";
import { manyFiles, writeSkill } from "../write-skill.mjs";

const FILES = 5000;
const turns = { warmUp: 1, rounds: 5 };
const repeats = 20;

/** A skill of 5,000 files: staged with nothing cached, compared with `cp -r`; then staged again unchanged. */
export default async function staging({ isolation }) {
  raiseSkillLimits(FILES);
  const { directory, remove } = temporaryDirectory();
  const source = writeSkill(directory, "large", manyFiles(FILES - 1));
  const skills = `${directory}/skills`;
  let made = 0;
  const fresh = (name) => `${directory}/${name}-${++made}`;
  const house = openHouse(directory, { isolation });
  try {
    const times = await alternate(
      {
        copy: () => copied(source, fresh("copy")),
        known: () => stagedFirst(skills, fresh("known"), isolation, { warm: true }),
        unknown: () => stagedFirst(skills, fresh("unknown"), isolation, { warm: false }),
      },
      turns,
    );
    const { id } = await house.workspaces.create();
    await staged(house, id);
    const again = [];
    for (let turn = 0; turn < repeats; turn++) again.push(await staged(house, id));
    const unchanged = again.every(({ changed }) => !changed);
    return {
      isolation,
      files: FILES,
      times,
      rounds: turns.rounds,
      again: again.map(({ ms }) => ms),
      unchanged,
      bytesRead: Math.min(...again.map(({ bytesRead }) => bytesRead)),
      started: Math.max(...again.map(({ started }) => started)),
    };
  } finally {
    await house.close();
    remove();
  }
}

async function copied(source, target) {
  const started = performance.now();
  await new Promise((resolve, reject) => {
    const child = childProcess.spawn("cp", ["-r", "--", source, target], { stdio: "ignore" });
    child.once("error", reject);
    child.once("exit", resolve);
  });
  return performance.now() - started;
}

/**
 * With an empty store and workspace; `warm`: the catalogue already knows the skill, as after an earlier turn.
 * Created files stay until everything is measured: ext4 takes several times as long to create files if as many were
 * removed in the last half minute, because it does not reuse their inodes so soon.
 */
async function stagedFirst(skills, directory, isolation, { warm }) {
  const house = openHouse(directory, { isolation, skills });
  try {
    if (warm) await house.skills.load("large");
    const { id } = await house.workspaces.create();
    const { ms, changed } = await staged(house, id);
    if (!changed) throw new Error("the skill was there already");
    return ms;
  } finally {
    await house.close();
  }
}

/** From the call until the skill is staged; `started` counts the processes until then. */
async function staged({ workspaces }, id) {
  const spent = { ms: 0, changed: false, bytesRead: 0, started: 0 };
  const calls = [];
  let before = 0;
  const begun = { at: 0 };
  const onEvent = (event) => {
    if (event.type !== "skill.staged") return;
    spent.ms = performance.now() - begun.at;
    spent.changed = event.changed;
    spent.bytesRead = bytesRead() - before;
    spent.started = calls.length;
  };
  const work = async () => {
    before = bytesRead();
    begun.at = performance.now();
    await workspaces.run(id, { skill: "large", command: "true" }, { onEvent });
  };
  await recordedSpawns(work, calls);
  return spent;
}

/** All bytes that this process has read since it began. */
function bytesRead() {
  return Number(/^rchar: (\d+)/m.exec(readFileSync("/proc/self/io", "latin1"))?.[1]);
}
