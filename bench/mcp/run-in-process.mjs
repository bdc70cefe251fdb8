import { mkdirSync, writeFileSync } from "node:fs";
import { built } from "../built.mjs";

/** The input of `skill_run` for the skill that `writeGreet` writes. */
export const GREET = { skill: "greet", command: "sh greet.sh" };

export function writeGreet(/** @type {string} */ skills) {
  const folder = `${skills}/greet`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/SKILL.md`, "---\nname: greet\ndescription: Greets.\n---\nRun `sh greet.sh`.\n");
  writeFileSync(`${folder}/greet.sh`, "echo hello > out/greeting.txt\n");
}

/** Prepares `skill_run` in this process, with the same parts as `skillwright mcp`. */
export async function runInProcess(skillsRoot, data) {
  const [box, config, fs, local, records, workspace, tools] = await Promise.all(
    ["skillbox", "config", "repository-fs", "runtime-local", "records", "workspace", "tools"].map(built),
  );
  const all = box.skillBox({ own: fs.fsRepository({ root: skillsRoot }) });
  const skills = box.eligible(all, { host: box.localHost({}) });
  const watching = skills.subscribe(() => {});
  const stores = await config.openStores({ data, cwd: data, env: {} });
  const runtime = local.localRuntime({ root: `${data}-workspaces`, namespace: stores.namespace });
  const registry = runtime.registry ?? records.recordRegistry(stores.records);
  const { artifacts } = stores;
  const workspaces = workspace.workspaceManager({
    skills,
    runtime,
    registry,
    artifacts,
    destroyOnClose: true,
  });
  const run = tools
    .skillTools({ skills, workspaces, preset: "files" })
    .find(({ name }) => name === "skill_run");
  const session = { app: "bench", user: "local", session: "1" };
  let call = 0;
  return {
    run: async () => {
      const { output } = await run.execute(GREET, {
        ...{ session, state: {}, callId: String(call++) },
        onEvent: async () => {},
      });
      if (output.exit_code !== 0) throw new Error(JSON.stringify(output));
    },
    close: async () => {
      await workspaces.close();
      await runtime.close();
      await stores.close();
      await watching.close();
      await all.close();
    },
  };
}
