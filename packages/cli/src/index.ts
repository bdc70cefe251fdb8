export type { CliOptions, CliStream } from "./cli-context.js";
export { runCli } from "./run-cli.js";
