import { mkdirSync, writeFileSync } from "node:fs";
import { built } from "../built.mjs";
import { median } from "../format/statistics.mjs";
import { alternate } from "../workspace/alternate.mjs";
import { startedCommand } from "./started-command.mjs";

const ROUNDS = { warmUp: 3, rounds: 31 };
const INPUT = { skill: "greet", command: "sh greet.sh" };

/**
 * `skill_run` of `skillwright mcp` over standard streams, beside the same tool in this process, in turns. Both have the parts of the command:
 * stores in a folder, a watched catalogue without the skills that this machine cannot run, and a listener of the run's events.
 */
export async function measure(/** @type {string} */ place) {
  const folder = `${place}/home/.skillwright/skills/greet`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/SKILL.md`, "---\nname: greet\ndescription: Greets.\n---\nRun `sh greet.sh`.\n");
  writeFileSync(`${folder}/greet.sh`, "echo hello > out/greeting.txt\n");
  const { client, end } = startedCommand(`${place}/home`);
  await client.initialize();
  const own = await inProcess(`${place}/home/.skillwright/skills`, `${place}/in-process`);
  const times = await alternate(
    {
      stdio: async () => {
        const { result } = await client.ask("tools/call", { name: "skill_run", arguments: INPUT });
        if (JSON.parse(result.content[0].text).exit_code !== 0) throw new Error(JSON.stringify(result));
      },
      own: own.run,
    },
    ROUNDS,
  );
  await own.close();
  await end();
  const [stdio, alone] = [median(times.stdio), median(times.own)];
  return `${(stdio / alone).toFixed(2)} times (${stdio.toFixed(1)} ms, in process ${alone.toFixed(1)} ms)`;
}

async function inProcess(skillsRoot, data) {
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
      const { output } = await run.execute(INPUT, {
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
