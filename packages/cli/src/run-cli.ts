import { CommanderError } from "commander";
import { type CliOptions, cliContext } from "./cli-context.js";
import { createProgram } from "./program.js";
import { failureText } from "./terminal/failure-text.js";

/**
 * Runs one command line, without the words `node skillwright`. Never throws and never ends the process.
 *
 * @returns The exit code: 0; 1 where the command found something wrong or failed; 2 for a command line that makes no
 *   sense; 130 when the signal fired; for `run` that of the command that was run.
 */
export async function runCli(argv: readonly string[], options: CliOptions): Promise<number> {
  const context = cliContext(options);
  const outcome = { exitCode: 0 };
  try {
    const program = await createProgram(context, outcome);
    await program.parseAsync([...argv], { from: "user" });
    return outcome.exitCode;
  } catch (error) {
    // Commander has said what was wrong, or printed the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    context.remark(failureText(error, context.errorStyle, argv.includes("--debug")));
    return options.signal?.aborted ? 130 : 1;
  }
}
