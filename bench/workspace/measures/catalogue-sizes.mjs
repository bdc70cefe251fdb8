import { mkdirSync, renameSync } from "node:fs";
import { root as project } from "../../../scripts/bootstrap/root.mjs";
import { alternate } from "../alternate.mjs";
import { openHouse, temporaryDirectory } from "../house.mjs";
import { writeSkill } from "../write-skill.mjs";

const { skillTools } = await import(`${project}/packages/tools/dist/index.js`);
const session = { app: "bench", user: "bench", session: "sizes" };
const turns = { warmUp: 10, rounds: 60 };

/** A warm `skill_run` with few and many skills in the catalogue; the sizes take turns. */
export default async function catalogueSizes({ isolation, sizes, watched, named }) {
  const { directory, remove } = temporaryDirectory();
  const closing = [];
  try {
    const calls = {};
    for (const size of sizes) calls[size] = await warmCall(`${directory}/${size}`, size);
    const times = await alternate(calls, turns);
    return { isolation, watched, named, times, rounds: turns.rounds };
  } finally {
    for (const close of closing.reverse()) await close();
    remove();
  }

  async function warmCall(home, size) {
    mkdirSync(home);
    for (let index = 0; index < size; index++) writeNumbered(home, index);
    const house = openHouse(home, { isolation, handles: 2 * size + 10 });
    closing.push(house.close);
    if (watched) closing.push(await watch(house));
    await house.skills.snapshot();
    const tools = skillTools({ skills: house.skills, workspaces: house.workspaces });
    const tool = tools.find(({ name }) => name === "skill_run");
    const call = async () => {
      const { output } = await tool.execute(
        { skill: numbered(Math.floor(size / 2)), command: "true" },
        { session, state: {} },
      );
      if (output.exit_code !== 0) throw new Error(JSON.stringify(output));
    };
    await call();
    return call;
  }

  function writeNumbered(home, index) {
    const folder = writeSkill(home, numbered(index), { "scripts/run.sh": "true\n" });
    if (named === "otherwise") renameSync(folder, `${home}/skills/folder-${index}`);
  }
}

function numbered(index) {
  return `skill-${index}`;
}

/** Waits until a snapshot costs no listing, which is when the watches have begun. */
async function watch({ skills, repository }) {
  const { list } = repository;
  let lists = 0;
  repository.list = (options) => {
    lists++;
    return list(options);
  };
  const watching = skills.subscribe(() => undefined);
  for (let before = -1; lists !== before; ) {
    before = lists;
    await skills.snapshot();
  }
  return () => watching.close();
}
