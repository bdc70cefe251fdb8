import { type Command, Option } from "commander";
import type { CliContext } from "../cli-context.js";
import type { DoctorFlags } from "../doctor/doctor.js";
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
    .action(async (flags: DoctorFlags) => {
      const { doctor } = await import("../doctor/doctor.js");
      outcome.exitCode = (await doctor(flags, context)) ? 0 : 1;
    });
}
