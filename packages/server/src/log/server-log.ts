import { createHash } from "node:crypto";
import { type Diagnostic, SkillError } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";

/** The importance of an entry, which rises from `debug` to `error`. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** Values of an entry. No value is a secret, or content of a conversation or a file. */
export interface LogFields {
  /** The error as it was thrown. Its text may quote an address with a password: write what `loggedError` returns. */
  readonly err?: unknown;
  readonly [name: string]: unknown;
}

/** Takes the entries of a structured log: fields and a text. A logger of pino is one. */
export type ServerLog = Readonly<Record<LogLevel, (fields: LogFields, message: string) => void>>;

/**
 * Creates a log that writes each entry as one line of text: the message, then the fields whose values are not in the message, then the
 * error with its causes. The place in the code follows an error that is no `SkillError`. Credentials in addresses and headers are masked.
 * @param least Entries below this level are left out. Defaults to `warn`.
 */
export function textLog(write: (line: string) => void, least: LogLevel = "warn"): ServerLog {
  return logOf((level) => (fields, message) => {
    if (LEVELS.indexOf(level) >= LEVELS.indexOf(least)) write(lineOf(fields, message));
  });
}

/** The default log of a server. */
export const printedLog = textLog((line) => console.error(line));

/** Returns the log without its failures: they have no effect on the work that is logged. */
export function harmlessLog(log: ServerLog): ServerLog {
  return logOf((level) => (fields, message) => {
    try {
      // A log that fails has no other place to report it.
      Promise.resolve(log[level](fields, message)).catch(() => undefined);
    } catch {
      // A log that fails has no other place to report it.
    }
  });
}

/** What a log may keep of an error: name, code, message, stack and causes, without credentials of addresses and headers. */
export interface LoggedError {
  readonly type: string;
  readonly code?: string | undefined;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly cause?: LoggedError | undefined;
}

/** Returns what a log may keep of an error. It is a serializer of pino: `pino({ serializers: { err: loggedError } })`. */
export function loggedError(error: unknown): LoggedError {
  return causes(error).reduceRight<LoggedError | undefined>((cause, one) => {
    if (!(one instanceof Error)) return { type: typeof one, message: told(String(one)), cause };
    const { name, message, stack, code } = one as NodeJS.ErrnoException;
    return {
      ...{ type: name, message: told(message), stack: stack && told(stack), cause },
      ...(typeof code === "string" && { code }),
    };
  }, undefined) as LoggedError;
}

/** Returns a hash that stands for a user in a log. */
export function loggedUser(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, 12);
}

/** Returns a listener that logs findings about workspaces, such as a policy that failed. */
export function loggedDiagnostic(log: ServerLog): (diagnostic: Diagnostic) => void {
  return ({ severity, code, message, hint }) =>
    log[severity === "warning" ? "warn" : severity]({ diagnostic: code }, `${message} ${hint}`);
}

/** Logs the failure of work whose result nobody waits for. */
export type TellWork = (work: string, error: unknown) => void;

/** If a store is away, the same work fails again and again. Each kind of work is logged at most once in this time. */
const TOLD_AGAIN_MS = 60_000;

export function tellWork(log: ServerLog): TellWork {
  const lastMs = new Map<string, number>();
  return (work, err) => {
    const nowMs = performance.now();
    if (nowMs - (lastMs.get(work) ?? -TOLD_AGAIN_MS) < TOLD_AGAIN_MS) return;
    lastMs.set(work, nowMs);
    log.error({ work, err }, `${work} failed`);
  };
}

function logOf(entry: (level: LogLevel) => ServerLog[LogLevel]): ServerLog {
  return { debug: entry("debug"), info: entry("info"), warn: entry("warn"), error: entry("error") };
}

const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];
const MOST_CHARACTERS = 2000;
const MOST_CAUSES = 5;

function lineOf({ err, ...fields }: LogFields, message: string): string {
  const others = Object.entries(fields)
    .filter(([, value]) => value !== undefined && !message.includes(String(value)))
    .map(([name, value]) => `${name}=${value}`);
  const details = others.length > 0 ? ` (${others.join(", ")})` : "";
  const reasons = err === undefined ? "" : `: ${causes(err).map(reason).join(": ")}`;
  return shownLine(withoutCredentials(`${message}${details}${reasons}`)).slice(0, MOST_CHARACTERS);
}

/** Lists the error and its causes. */
function causes(error: unknown): readonly unknown[] {
  const all: unknown[] = [error];
  for (
    let { cause } = Object(error);
    cause !== undefined && all.length < MOST_CAUSES;
    cause = Object(cause).cause
  )
    all.push(cause);
  return all;
}

/** An unexpected error is followed by the place in the code where it was thrown. */
function reason(error: unknown): string {
  if (SkillError.is(error)) return `${error.code} ${error.message}`;
  if (!(error instanceof Error)) return String(error);
  const place = /^\s*(at .*)$/m.exec(error.stack ?? "")?.[1];
  return `${error.name}: ${error.message}${place === undefined ? "" : ` (${place})`}`;
}

const told = (text: string): string => withoutCredentials(text).slice(0, MOST_CHARACTERS);

/** Errors of database and HTTP clients quote addresses and headers, which may contain credentials. */
function withoutCredentials(text: string): string {
  return text
    .replace(/([A-Za-z][A-Za-z0-9+.-]*:\/\/)[^\s/@'"]*(?:@[^\s/@'"]*)*@/g, "$1***@")
    .replace(/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, "$1 ***");
}
