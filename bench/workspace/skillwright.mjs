import { openHouse, temporaryDirectory } from "./house.mjs";
import { writeSkill } from "./write-skill.mjs";

/** Our packages as a contestant; the catalogue, the store and the runtime are opened once, as in an application. */
export function skillwright(isolation) {
  const { directory, remove } = temporaryDirectory();
  const house = openHouse(directory, { isolation });
  let isWritten = false;
  return {
    title: `Skillwright, isolation ${isolation}`,
    isOurs: true,
    isolation,
    async use({ files, command, output }) {
      if (!isWritten)
        writeSkill(directory, "count", Object.fromEntries(files.filter(([path]) => path !== "SKILL.md")));
      isWritten = true;
      const { id } = await house.workspaces.create();
      const outputs = { globs: [output], inline: true };
      const result = await house.workspaces.run(id, { skill: "count", command, outputs });
      return { text: result.outputs[0]?.content, close: () => house.workspaces.destroy(id) };
    },
    async dispose() {
      await house.close();
      remove();
    },
  };
}
