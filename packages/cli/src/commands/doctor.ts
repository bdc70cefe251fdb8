import { type Command, Option } from "commander";
import type { CliContext } from "../cli-context.js";
import { checkMachine } from "../doctor/check-machine.js";
import { checkPods } from "../doctor/check-pods.js";
import { checkSkills } from "../doctor/check-skills.js";
import { doctorText, isReady } from "../doctor/doctor-text.js";
import type { CommandOutcome } from "./command-outcome.js";
import { jsonOption, skillsOption } from "./shared-options.js";

export function addDoctorCommand(program: Command, context: CliContext, outcome: CommandOutcome): void {
  program
    .command("doctor")
    .summary("check this machine, the configuration and the skills")
    .description(
      "Tests what running a skill needs, checks every place that is searched for skills, and says how to fix problems. The exit code is 1 only if something required is missing.",
    )
    .addOption(skillsOption())
    .addOption(
      new Option(
        "--runtime <kind>",
        "kubernetes: check the configured cluster too, with a pod that is removed afterwards",
      ).choices(["kubernetes"]),
    )
    .addOption(jsonOption())
    .action(async ({ skills = [], runtime, json }: { skills?: string[]; runtime?: string; json?: true }) => {
      const cluster = runtime === undefined ? [] : await checkPods(context);
      const machine = [...(await checkMachine(context.signal)), ...cluster];
      const { findings: places, needs } = await checkSkills(context, skills);
      const ready = isReady([...machine, ...places]);
      if (json)
        context.print(JSON.stringify({ formatVersion: 1, ready, machine, places, needs }, undefined, 2));
      else context.print(...doctorText(machine, places, context.style));
      outcome.exitCode = ready ? 0 : 1;
    });
}
