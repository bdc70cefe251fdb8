import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { type SkillEnvironmentNeeds, skillEnvironmentNeeds } from "../../src/index.js";

/** What the skill "demo" with these files needs. */
export async function needsOf(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<SkillEnvironmentNeeds> {
  await using box = skillBox({ own: memoryRepository({ skills: { demo: files } }) });
  const skill = await box.load("demo");
  return await skillEnvironmentNeeds(skill, (path) => box.open("demo", path));
}
