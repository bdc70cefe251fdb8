/** Reads skills, and runs one command in a workspace. */
import { fsContentStore, fsRepository } from "@skillwright/repository-fs";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { workspaceManager } from "@skillwright/workspace";
import { readSkills } from "./catalogue.mjs";
import { inSkillDirectory } from "./skill-directory.mjs";

export function runSkill() {
  return inSkillDirectory(async (directory) => {
    const skills = skillBox({ own: fsRepository({ root: `${directory}/skills` }) });
    const content = fsContentStore({ root: `${directory}/content` });
    const runtime = localRuntime({ root: `${directory}/workspaces`, content, isolation: "auto" });
    const workspaces = workspaceManager({ skills, runtime });
    const { id } = await workspaces.create();
    const { stdout, isolation } = await workspaces.run(id, { skill: "hello", command: "sh hello.sh" });
    await workspaces.destroy(id);
    const { diagnostics } = await runtime.capabilities();
    return {
      ...(await readSkills(`${directory}/skills`)),
      printed: stdout.text,
      isolation: isolation.level,
      missing: diagnostics.map(({ code }) => code),
    };
  });
}
