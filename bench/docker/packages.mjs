import { testImage } from "../../scripts/engines/test-images/test-image.mjs";
import { median } from "../format/statistics.mjs";
import { packagedSkill } from "../packaged-skill.mjs";
import { differenceJudgement } from "../workspace/aims.mjs";
import { alternate } from "../workspace/alternate.mjs";
import { environmentStore, openWorkspaces, skillMarkdown } from "./parts.mjs";

/** Runs `true` for a skill with a prepared package and for one without, each in its container. */
export default async function packages(place) {
  const image = await testImage(place.host, "full");
  const skills = {
    plain: { "SKILL.md": skillMarkdown("plain") },
    packaged: { "SKILL.md": skillMarkdown("packaged"), ...packagedSkill() },
  };
  const environments = environmentStore({ root: `${place.directory}/environments` });
  const house = openWorkspaces({ ...place, image }, skills, { environments });
  try {
    const runIn = async (skill) => {
      const { id } = await house.workspaces.create();
      return (command) => house.workspaces.run(id, { skill, command }, { approveInstall: async () => true });
    };
    const [plain, packaged] = [await runIn("plain"), await runIn("packaged")];
    const { stdout } = await packaged("python3 -c 'import spoken; print(spoken.TEXT)'");
    if (stdout.text !== "spoken\n") throw new Error("the package is not there");
    const names = ["run of a skill without packages", "run of a skill with a prepared package"];
    const times = await alternate(
      { [names[0]]: () => plain("true"), [names[1]]: () => packaged("true") },
      { warmUp: 5, rounds: 40 },
    );
    const more = median(times[names[1]]) - median(times[names[0]]);
    const what = "a later run of a skill with prepared packages";
    return { times, ratios: [], more: [differenceJudgement(what, more, { mustMs: 20 })] };
  } finally {
    await house.close();
    await environments.prune({ maxBytes: 0, inUse: false });
  }
}
