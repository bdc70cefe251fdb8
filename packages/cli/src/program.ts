import { Command } from "commander";
import type { CliContext } from "./cli-context.js";
import type { CommandOutcome } from "./commands/command-outcome.js";
import { addDoctorCommand } from "./commands/doctor.js";
import { addEnvCommand } from "./commands/env.js";
import { addInspectCommand } from "./commands/inspect.js";
import { addInstallCommand } from "./commands/install.js";
import { addListCommand } from "./commands/list.js";
import { addLockCommand } from "./commands/lock.js";
import { addMcpCommand } from "./commands/mcp.js";
import { addNewCommand } from "./commands/new.js";
import { addPackCommand } from "./commands/pack.js";
import { addPluginCommand } from "./commands/plugin.js";
import { addPublishCommand } from "./commands/publish.js";
import { addRollbackCommand } from "./commands/rollback.js";
import { addRunCommand } from "./commands/run.js";
import { addServeCommand } from "./commands/serve.js";
import { addUnpackCommand } from "./commands/unpack.js";
import { addUpdateCommand } from "./commands/update.js";
import { addValidateCommand } from "./commands/validate.js";
import { addWorkspacesCommand } from "./commands/workspaces.js";
import { ownVersion } from "./own-version.js";

export async function createProgram(context: CliContext, outcome: CommandOutcome): Promise<Command> {
  const { stdout, stderr, style } = context;
  const program = new Command("skillwright")
    .description(
      "Makes, lists, inspects, validates, packs, installs, publishes and runs Agent Skills, serves an agent that has them, and offers them to hosts that speak MCP.",
    )
    .version(await ownVersion(), "--version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .option("--debug", "print the stack trace of errors")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHasColors: () => style.bold("x") !== "x",
      getErrHasColors: () => context.errorStyle.bold("x") !== "x",
      getOutHelpWidth: () => Math.min(context.width, 100),
      getErrHelpWidth: () => Math.min(context.width, 100),
    })
    .configureHelp({ styleTitle: (text) => style.bold(text), styleCommandText: (text) => style.cyan(text) })
    .showHelpAfterError("(see --help for the arguments and options)");
  addListCommand(program, context, outcome);
  addInspectCommand(program, context);
  addNewCommand(program, context);
  addValidateCommand(program, context, outcome);
  addPackCommand(program, context, outcome);
  addUnpackCommand(program, context);
  addLockCommand(program, context);
  addInstallCommand(program, context, outcome);
  addUpdateCommand(program, context, outcome);
  addPluginCommand(program, context, outcome);
  addPublishCommand(program, context, outcome);
  addRollbackCommand(program, context);
  addRunCommand(program, context, outcome);
  addServeCommand(program, context);
  addMcpCommand(program, context, outcome);
  addEnvCommand(program, context, outcome);
  addWorkspacesCommand(program, context);
  addDoctorCommand(program, context, outcome);
  // Subcommands do not inherit the program's settings automatically.
  for (const command of program.commands.flatMap((own) => [own, ...own.commands]))
    command.copyInheritedSettings(program).option("--debug", "print the stack trace of errors");
  return program;
}
