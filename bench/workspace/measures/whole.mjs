import { alternate } from "../alternate.mjs";
import { bareSpawn, bubblewrapOf } from "../bare-spawn.mjs";
import { openHouse, temporaryDirectory } from "../house.mjs";
import { recordedSpawns } from "../recorded-spawns.mjs";
import { writeSkill } from "../write-skill.mjs";

const turns = { warmUp: 20, rounds: 150 };
const wanted = {
  skill: "small",
  command: "echo hello > out/answer.txt",
  outputs: { globs: ["out/answer.txt"], inline: true },
};

/** Create, stage, run, collect and destroy, compared with the same bubblewrap. */
export default async function whole() {
  const { directory, remove } = temporaryDirectory();
  writeSkill(directory, "small");
  const { workspaces, close } = openHouse(directory);
  const parts = { create: [], run: [], destroy: [] };
  const timed = async (name, work) => {
    const started = performance.now();
    const result = await work();
    parts[name].push(performance.now() - started);
    return result;
  };
  const cycle = async () => {
    const { id } = await timed("create", () => workspaces.create());
    const { outputs } = await timed("run", () => workspaces.run(id, wanted));
    await timed("destroy", () => workspaces.destroy(id));
    if (outputs[0]?.content !== "hello\n") throw new Error("the output is missing");
  };
  try {
    const { id } = await workspaces.create();
    const bare = bubblewrapOf((await recordedSpawns(() => workspaces.run(id, wanted))).at(-1));
    const times = await alternate({ bare: () => bareSpawn(bare), whole: cycle }, turns);
    return { times, parts, rounds: turns.rounds };
  } finally {
    await close();
    remove();
  }
}
