import { createStyle, type Style, wantsColours } from "./terminal/style.js";

/** Where the command writes. `process.stdout` fits; so does `{ write: (text) => texts.push(text) }`. */
export interface CliStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** All inputs and outputs of a command. */
export interface CliOptions {
  readonly stdout: CliStream;
  readonly stderr: CliStream;
  /** Standard input for the command of `run`; read only when a command runs. Missing means empty. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute folder of the application's bundled skills, to which `allow_bundled` applies. Defaults to none. */
  readonly bundledSkills?: string | undefined;
  /** Aborts the work; results made so far are kept. */
  readonly signal?: AbortSignal | undefined;
}

export interface CliContext extends CliOptions {
  /** Style of standard output. */
  readonly style: Style;
  /** Style of standard error. */
  readonly errorStyle: Style;
  /** Writes lines to standard output. */
  print(...lines: readonly string[]): void;
  /** Writes the value to standard output as JSON, with `formatVersion` 1. */
  printJson(value: object): void;
  /** Writes lines to standard error: progress and remarks, so that standard output can be piped. */
  remark(...lines: readonly string[]): void;
  /** Maximum width in columns; unlimited where standard output is not a terminal. */
  readonly width: number;
}

export function cliContext(options: CliOptions): CliContext {
  const { stdout, stderr, env } = options;
  const print = (...lines: readonly string[]) => void stdout.write(lines.map((line) => `${line}\n`).join(""));
  return {
    ...options,
    style: createStyle(wantsColours(stdout, env)),
    errorStyle: createStyle(wantsColours(stderr, env)),
    print,
    printJson: (value) => print(JSON.stringify({ formatVersion: 1, ...value }, undefined, 2)),
    remark: (...lines) => void stderr.write(lines.map((line) => `${line}\n`).join("")),
    width: stdout.isTTY ? Math.max(40, stdout.columns ?? 80) : Number.POSITIVE_INFINITY,
  };
}
