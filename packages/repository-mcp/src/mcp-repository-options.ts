import type { Secret } from "@skillwright/core";
import type { SkillRuleOptions } from "@skillwright/core/adapter";

/** A server that is started as a program and spoken to over its standard streams. */
export interface McpCommand {
  /** The program, by its path or its name in PATH, and its arguments. No shell reads them. Arguments are never shown. */
  readonly command: readonly string[];
  /** Its working directory. Defaults to that of this process. */
  readonly cwd?: string | undefined;
  /** Its variables besides PATH, HOME and those of the language. No other variable of this process is passed on. */
  readonly environment?: Readonly<Record<string, string | Secret>> | undefined;
}

/** A server with the transport "Streamable HTTP". */
export interface McpAddress {
  /** `https://host/path`, or `http://` for this machine: `localhost`, `127.0.0.1` or `[::1]`. Its query is never shown. */
  readonly url: string;
  /** Sent only to the url's own origin. */
  readonly headers?: Readonly<Record<string, string | Secret>> | undefined;
  /** Sends the requests, and decides which addresses may be contacted. Defaults to Node's `fetch`, which contacts any. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export interface McpLimits {
  /** Bytes that the server may send until it has answered a request. Defaults to 32 MiB. */
  readonly answerBytes: number;
  /** Bytes of all entries of one listing together. Defaults to 16 MiB. */
  readonly listBytes: number;
  /** Pages of one listing. Defaults to 100. */
  readonly pages: number;
  /** Skills of one listing. Defaults to 2,000. Further ones are left out with a diagnostic. */
  readonly entries: number;
  /** Files of one skill. Defaults to 512. */
  readonly files: number;
  /** Bytes of all files of one skill. Defaults to 16 MiB. */
  readonly bytes: number;
}

export interface McpRepositoryOptions extends Pick<SkillRuleOptions, "leaveOut"> {
  readonly server: McpCommand | McpAddress;
  /** Time for the server's start and greeting, and for each answer, in milliseconds. Defaults to 120,000 (two minutes). */
  readonly timeoutMs?: number | undefined;
  readonly limits?: Partial<McpLimits> | undefined;
}
