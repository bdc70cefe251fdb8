import { createStyle, type Style, wantsColours } from "./terminal/style.js";

/** Where the command writes. `process.stdout` fits; so does `{ write: (text) => texts.push(text) }`. */
export interface CliStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** Everything of the outside that a command sees. */
export interface CliOptions {
  readonly stdout: CliStream;
  readonly stderr: CliStream;
  /** What `run` gives to its command; read by nothing else, and only when a command runs. Missing is an empty input. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute folder of skills that an application brings with the command; `allow_bundled` is about them. None by default. */
  readonly bundledSkills?: string | undefined;
  /** Ends what is going on, with what was already made kept. */
  readonly signal?: AbortSignal | undefined;
}

export interface CliContext extends CliOptions {
  /** For what goes to standard output. */
  readonly style: Style;
  /** For what goes to standard error. */
  readonly errorStyle: Style;
  /** Writes lines to standard output. */
  print(...lines: readonly string[]): void;
  /** Writes lines to standard error: progress and remarks, so that standard output can be piped. */
  remark(...lines: readonly string[]): void;
  /** Columns to fit into; no limit where standard output is not a terminal. */
  readonly width: number;
}

export function cliContext(options: CliOptions): CliContext {
  const { stdout, stderr, env } = options;
  return {
    ...options,
    style: createStyle(wantsColours(stdout, env)),
    errorStyle: createStyle(wantsColours(stderr, env)),
    print: (...lines) => void stdout.write(lines.map((line) => `${line}\n`).join("")),
    remark: (...lines) => void stderr.write(lines.map((line) => `${line}\n`).join("")),
    width: stdout.isTTY ? Math.max(40, stdout.columns ?? 80) : Number.POSITIVE_INFINITY,
  };
}
