import { alternate } from "../alternate.mjs";
import { bareSpawn, bubblewrapOf, shellOf } from "../bare-spawn.mjs";
import { openHouse, plainCommand, run, temporaryDirectory } from "../house.mjs";
import { recordedSpawns } from "../recorded-spawns.mjs";
import { writeSkill } from "../write-skill.mjs";

const turns = { warmUp: 20, rounds: 150 };

/** Runs `true` in a staged workspace, compared with a bare start of the same shell, in the same bubblewrap if sandboxed. */
export default async function runs({ isolation }) {
  const { directory, remove } = temporaryDirectory();
  writeSkill(directory, "small");
  const house = openHouse(directory, { isolation });
  const shared = openHouse(directory, { isolation, registry: true });
  try {
    const { id } = await house.workspaces.create();
    const other = await shared.workspaces.create();
    const wanted = { skill: "small", command: "true" };
    await shared.workspaces.run(other.id, wanted);
    const recorded = (await recordedSpawns(() => house.workspaces.run(id, wanted))).at(-1);
    if (!recorded) throw new Error("the runtime started nothing in this process");
    const bare = isolation === "none" ? shellOf(recorded) : bubblewrapOf(recorded);
    const attached = await house.runtime.attach(id);
    const times = await alternate(
      {
        bare: () => bareSpawn(bare),
        runtime: () => run(attached, plainCommand("true")),
        workspaces: () => house.workspaces.run(id, wanted),
        registry: () => shared.workspaces.run(other.id, wanted),
      },
      turns,
    );
    return { isolation, times, rounds: turns.rounds };
  } finally {
    await house.close();
    await shared.close();
    remove();
  }
}
