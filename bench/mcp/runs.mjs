import { median } from "../format/statistics.mjs";
import { alternate } from "../workspace/alternate.mjs";
import { GREET, runInProcess, writeGreet } from "./run-in-process.mjs";
import { startedCommand } from "./started-command.mjs";

const ROUNDS = { warmUp: 3, rounds: 31 };

/**
 * `skill_run` of `skillwright mcp` over standard streams, beside the same tool in this process, in turns. Both have the parts of the command:
 * stores in a folder, a watched catalogue without the skills that this machine cannot run, and a listener of the run's events.
 */
export async function measure(/** @type {string} */ place) {
  const skills = `${place}/home/.skillwright/skills`;
  writeGreet(skills);
  const { client, end } = startedCommand(`${place}/home`);
  await client.initialize();
  const own = await runInProcess(skills, `${place}/in-process`);
  const times = await alternate(
    {
      stdio: async () => {
        const { result } = await client.ask("tools/call", { name: "skill_run", arguments: GREET });
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
