/** Reads skills, lists them and offers them as tools; nothing runs. */
import { parseSkill } from "@skillwright/core";
import { injector } from "@skillwright/injector";
import { fsRepository } from "@skillwright/repository-fs";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { skillTools } from "@skillwright/tools";

/** The comment and the list make the header one that gray-matter parses. */
export const skillFile = `---
name: hello
description: Says hello.
# who wrote it
metadata:
  - somebody
---
Run hello.sh.
`;

export async function readSkills(root) {
  const skills = skillBox({ own: fsRepository({ root }), shared: memoryRepository() });
  const snapshot = await skills.snapshot();
  return {
    parsed: parseSkill(skillFile, { directoryName: "hello" }).skill?.name,
    listed: snapshot.skills.map(({ name }) => name),
    shown: injector().enhanceSystemPrompt("Be helpful.", { snapshot, state: {} }).includes("Says hello."),
    tools: skillTools({ skills }).map(({ name }) => name),
  };
}
