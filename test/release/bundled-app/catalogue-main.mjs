import { readSkills } from "./catalogue.mjs";
import { inSkillDirectory } from "./skill-directory.mjs";

console.log(JSON.stringify(await inSkillDirectory((directory) => readSkills(`${directory}/skills`))));
