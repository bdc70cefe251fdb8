import { basename } from "node:path";
import { SKILL_LIMITS, SkillError } from "@skillwright/core";
import { checkEnvironmentVariable, type SkillRules, shownLine, skillRules } from "@skillwright/core/adapter";
import type { McpAddress, McpCommand, McpLimits, McpRepositoryOptions } from "./mcp-repository-options.js";

/** The validated options with defaults applied. */
export interface McpSettings {
  readonly server: McpCommand | McpAddress;
  /** For messages: the program without its arguments, or the address without credentials and query. */
  readonly shown: string;
  readonly timeoutMs: number;
  readonly limits: McpLimits;
  readonly rules: SkillRules;
}

const MEBIBYTE = 1024 * 1024;
const LONGEST_WAIT = 2 ** 31 - 1;
const LONGEST_SHOWN = 150;
const DEFAULT_LIMITS: McpLimits = {
  answerBytes: 32 * MEBIBYTE,
  listBytes: 16 * MEBIBYTE,
  pages: 100,
  entries: 2000,
  files: SKILL_LIMITS.files,
  bytes: SKILL_LIMITS.bytes,
};

/** @throws SkillError `CONFIG_INVALID`; no message contains an argument, a value or a query. */
export function mcpSettings({
  server,
  timeoutMs = 120_000,
  limits = {},
  leaveOut,
}: McpRepositoryOptions): McpSettings {
  const all: McpLimits = { ...DEFAULT_LIMITS, ...limits };
  for (const [name, value] of Object.entries({ ...all, timeoutMs })) counted(name, value);
  return {
    server,
    shown: "command" in server ? shownCommand(server) : shownAddress(server),
    timeoutMs,
    limits: all,
    rules: skillRules({ limits: all, leaveOut }),
  };
}

function counted(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1 || (name === "timeoutMs" && value > LONGEST_WAIT))
    throw unfit(`"${name}"`, `is ${value}`, "Give a whole number from 1.");
}

function shownCommand({ command: [program = ""], environment = {} }: McpCommand): string {
  if (program === "") throw unfit("The command", "is empty", "Give the program and its arguments.");
  for (const [name, value] of Object.entries(environment))
    checkEnvironmentVariable(name, typeof value === "string" ? value : value.reveal());
  return cut(shownLine(basename(program)));
}

function shownAddress({ url }: McpAddress): string {
  if (!URL.canParse(url)) throw unfit("The url", "cannot be read", "Give https://host/path.");
  const { protocol, hostname, host, pathname, username, password } = new URL(url);
  const shown = cut(`${protocol}//${host}${pathname}`);
  if (username !== "" || password !== "")
    throw unfit(`The url ${shown}`, "contains credentials", "Give them as a header.");
  if (protocol !== "https:" && !(protocol === "http:" && OWN_HOSTS.has(hostname)))
    throw unfit(`The url ${shown}`, "is not encrypted", "Give an https address; http is for localhost only.");
  return shown;
}

const OWN_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);

function cut(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN - 1)}…` : text;
}

function unfit(what: string, why: string, remedy: string): SkillError {
  return new SkillError("CONFIG_INVALID", `${what} of the MCP server ${why}. ${remedy}`);
}
