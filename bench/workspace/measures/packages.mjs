import { packagedSkill } from "../../packaged-skill.mjs";
import { alternate } from "../alternate.mjs";
import { openHouse, temporaryDirectory, workspace } from "../house.mjs";
import { writeSkill } from "../write-skill.mjs";

const turns = { warmUp: 10, rounds: 100 };

/** Runs `true` for a skill with a prepared package and for one without, each in its workspace. */
export default async function packages({ isolation }) {
  const { directory, remove } = temporaryDirectory();
  writeSkill(directory, "plain");
  writeSkill(directory, "packaged", packagedSkill());
  const environments = workspace.environmentStore({ root: `${directory}/environments` });
  const house = openHouse(directory, { isolation, environments });
  try {
    const runIn = async (skill) => {
      const { id } = await house.workspaces.create();
      return (command) => house.workspaces.run(id, { skill, command }, { approveInstall: async () => true });
    };
    const [plain, packaged] = [await runIn("plain"), await runIn("packaged")];
    const preparing = performance.now();
    const { stdout } = await packaged("python3 -c 'import spoken; print(spoken.TEXT)'");
    if (stdout.text !== "spoken\n") throw new Error("the package is not there");
    const preparedMs = performance.now() - preparing;
    const contestants = { plain: () => plain("true"), packaged: () => packaged("true") };
    return { isolation, times: await alternate(contestants, turns), preparedMs, rounds: turns.rounds };
  } finally {
    await house.close();
    await environments.prune({ maxBytes: 0, inUse: false });
    remove();
  }
}
