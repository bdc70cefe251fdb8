import { applyStateDeltas, type SessionState } from "@skillwright/core";
import { fsRepository } from "@skillwright/repository-fs";
import { memoryArtifacts } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { skillTools } from "@skillwright/tools";
import { workspaceManager } from "@skillwright/workspace";

const skills = skillBox({ own: fsRepository({ root: `${import.meta.dirname}/skills` }) });
const workspaces = workspaceManager({
  skills,
  runtime: localRuntime({ isolation: "auto" }),
  artifacts: memoryArtifacts(),
  destroyOnClose: true,
});
const tools = skillTools({ skills, workspaces });
const session = { app: "skillrun", user: "ada", session: "1" };
let state: SessionState = {};

/** One call, and its delta applied as the framework does. */
async function call(name: string, input: object): Promise<Record<string, unknown>> {
  const result = await tools.find((tool) => tool.name === name)?.execute(input, { session, state });
  state = applyStateDeltas(state, [result?.stateDelta ?? {}]);
  return typeof result?.output === "object" ? (result.output as Record<string, unknown>) : {};
}

await call("skill_load", { skill: "shell-math", docs: ["USAGE.md"] });
console.log(state["temp:skill:loaded:shell-math"], state["temp:skill:docs:shell-math"]); // 1 ["USAGE.md"]
await call("skill_select_docs", { skill: "shell-math", include_all_docs: true, mode: "replace" });
console.log(state["temp:skill:docs:shell-math"]); // *
const { exit_code, timed_out, artifact_files } = await call("skill_run", {
  skill: "shell-math",
  command: "sh scripts/squares.sh 3 > out/squares.txt",
  outputs: { globs: ["$OUTPUT_DIR/**"], inline: true, save: true },
});
console.log(exit_code, timed_out, JSON.stringify(artifact_files)); // 0 false [{"name":"out/squares.txt","version":0}]
await workspaces.close();
