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

/** Makes the command that the first argument names, or all commands where it names none. */
export async function createProgram(
  context: CliContext,
  outcome: CommandOutcome,
  argv: readonly string[],
): Promise<Command> {
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
  // Making all of them takes 12 ms, which a program that starts the command waits for.
  const named = COMMANDS.filter(([name]) => name === argv[0]);
  for (const [, add] of named.length > 0 ? named : COMMANDS) add(program, context, outcome);
  // Subcommands do not inherit the program's settings automatically.
  for (const command of program.commands.flatMap((own) => [own, ...own.commands]))
    command.copyInheritedSettings(program).option("--debug", "print the stack trace of errors");
  return program;
}

/** In the order of the help. */
const COMMANDS: readonly (readonly [
  name: string,
  add: (program: Command, context: CliContext, outcome: CommandOutcome) => void,
])[] = [
  ["list", addListCommand],
  ["inspect", addInspectCommand],
  ["new", addNewCommand],
  ["validate", addValidateCommand],
  ["pack", addPackCommand],
  ["unpack", addUnpackCommand],
  ["lock", addLockCommand],
  ["install", addInstallCommand],
  ["update", addUpdateCommand],
  ["plugin", addPluginCommand],
  ["publish", addPublishCommand],
  ["rollback", addRollbackCommand],
  ["run", addRunCommand],
  ["serve", addServeCommand],
  ["mcp", addMcpCommand],
  ["env", addEnvCommand],
  ["workspaces", addWorkspacesCommand],
  ["doctor", addDoctorCommand],
];
