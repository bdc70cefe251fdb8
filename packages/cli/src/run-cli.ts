import { CommanderError } from "commander";
import { type CliOptions, cliContext } from "./cli-context.js";
import { createProgram } from "./program.js";

/**
 * Runs one command line, given without the words `node skillwright`. Never throws and never ends the process.
 *
 * @returns The exit code: 0; 1 where the command found problems or failed; 2 for an invalid command line; 130 when the
 * signal fired; for `run`, that of the command. With `--json` and `--format json` a failure is JSON on standard output:
 * `{ formatVersion, error: { code, message } }`.
 */
export async function runCli(argv: readonly string[], options: CliOptions): Promise<number> {
  const context = cliContext(options);
  const outcome = { exitCode: 0 };
  try {
    const program = await createProgram(context, outcome, argv);
    await program.parseAsync([...argv], { from: "user" });
    return outcome.exitCode;
  } catch (error) {
    // Commander has already printed the error or the requested help.
    const isUsage = error instanceof CommanderError;
    if (isUsage && error.exitCode === 0) return 0;
    if (wantsJson(argv)) {
      const { failureJson } = await import("./terminal/failure-json.js");
      context.print(failureJson(error));
    } else if (!isUsage) {
      const { failureText } = await import("./terminal/failure-text.js");
      context.remark(failureText(error, context.errorStyle, argv.includes("--debug")));
    }
    if (isUsage) return 2;
    return options.signal?.aborted ? 130 : 1;
  }
}

/** True where the output is for a program. The words of a command to be run are not searched for options. */
function wantsJson(argv: readonly string[]): boolean {
  const own = argv[0] === "run" ? [] : argv;
  return own.some(
    (word, at) =>
      word === "--json" || word === "--format=json" || (word === "json" && own[at - 1] === "--format"),
  );
}
