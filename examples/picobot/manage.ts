import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { skillTools } from "@skillwright/tools";

const skills = skillBox({ project: memoryRepository(), user: memoryRepository() });
const tools = skillTools({ skills, preset: "activate", manage: { review: "none" } });
const manage = async (input: object) => {
  const tool = tools.find(({ name }) => name === "skill_manage");
  const result = await tool?.execute(input, {
    session: { app: "picobot", user: "ada", session: "1" },
    state: {},
  });
  return result?.isError
    ? "refused"
    : (await skills.snapshot()).skills.map(({ name }) => name).join() || "none";
};

console.log(await manage({ action: "list" })); // none
const description = "Use when summarizing a Rust crate";
console.log(
  await manage({ action: "create", scope: "project", name: "demo-skill", description, body: "Step 1..." }),
); // demo-skill
console.log(
  await manage({
    action: "update",
    scope: "project",
    name: "demo-skill",
    description: "Use when reviewing a Rust crate",
  }),
); // demo-skill
console.log(await manage({ action: "delete", scope: "project", name: "demo-skill" })); // none
console.log(await manage({ action: "reload" })); // none
console.log(await manage({ action: "restore", name: "demo-skill" })); // demo-skill
