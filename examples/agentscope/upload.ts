import { fsRepository } from "@skillwright/repository-fs";
import { memoryArtifacts, memoryRepository } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { destroyWhenIdle, workspaceManager } from "@skillwright/workspace";

const root = `${import.meta.dirname}/skills`;
const skills = skillBox({ files: fsRepository({ root }) });
skills.addSource("team", memoryRepository());
await skills.upload("team", [
  { path: "SKILL.md", content: "---\nname: greeting\ndescription: Says how to greet.\n---\nSay hello.\n" },
]);
console.log((await skills.snapshot()).skills.map(({ name, source }) => `${source}/${name}`).join()); // files/count-lines,team/greeting

const workspaces = workspaceManager({
  skills,
  runtime: localRuntime({ isolation: "auto" }),
  artifacts: memoryArtifacts(),
  policies: [destroyWhenIdle("15m")],
});
const session = { app: "agentscope", user: "ada", session: "1" };
const { id } = await workspaces.forSession(session);
const { skillPath } = await workspaces.upload(id, "report.txt", "one\ntwo\nthree\n");
const result = await workspaces.run(id, {
  skill: "count-lines",
  command: `sh ./scripts/count.sh ${skillPath}`,
  outputs: { globs: ["out/**"], inline: true },
});
console.log(result.exitCode, result.outputs[0]?.content?.trim()); // 0 3
console.log((await workspaces.forSession(session)).id === id); // true
console.log(await workspaces.destroy(id), await workspaces.destroy(id)); // true false
await workspaces.close();
