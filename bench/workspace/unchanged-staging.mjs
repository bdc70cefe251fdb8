/** Started under strace: stages a skill, then stages it again unchanged, between two marks. */
import { existsSync, openSync } from "node:fs";
import { openHouse } from "./house.mjs";
import { raiseSkillLimits } from "./raise-skill-limits.mjs";

raiseSkillLimits(5000);
const [directory, isolation] = process.argv.slice(2);
const house = openHouse(directory, { isolation });
const { id } = await house.workspaces.create();
const run = (onEvent) => house.workspaces.run(id, { skill: "large", command: "true" }, { onEvent });
await run();
await run();
mark("begin");
await run((event) => {
  if (event.type === "skill.staged") mark("end");
});
await house.close();

/** An attempt to open a missing file, which is visible in the trace. */
function mark(name) {
  const path = `/skillwright-mark-${name}`;
  if (existsSync(path)) throw new Error(`${path} is there`);
  try {
    openSync(path, "r");
  } catch {}
}
