import { parse } from "node:path";
import { type ByteStream, readBytes, SkillError } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import type { GitAddress, GitCredentials } from "../source/git-url.js";
import { FIXED_SETTINGS, gitEnvironment, sshCommand } from "./git-environment.js";
import { GitFailed, gitOutput } from "./git-process.js";
import { maskedText } from "./masked-text.js";

/** The user's own git, prevented from prompting and from running anything it finds. */
export interface GitProgram {
  /** Reads local data. @throws SkillError `UNSUPPORTED` (no git, too old), `BACKEND_FAILED`, `ABORTED`. */
  local(args: readonly string[], call?: GitCall): ByteStream;
  /** Talks to the server, with the credentials of the URL and with the timeout. @throws as `local`. */
  remote(args: readonly string[], call: GitCall): Promise<string>;
}

interface GitCall {
  readonly signal?: AbortSignal | undefined;
  readonly input?: string | undefined;
}

export interface GitProgramOptions {
  readonly program: string;
  readonly address: GitAddress;
  readonly protocols: readonly string[];
  readonly timeoutMs: number;
}

const OLDEST = [2, 30] as const;
// A directory in which no project and no other user can have placed settings that git would read.
const NOBODYS_DIRECTORY = parse(process.execPath).root;
const MAX_TEXT_BYTES = 4 * 1024 * 1024;
const MAX_SHOWN = 1000;

export function gitProgram({ program, address, protocols, timeoutMs }: GitProgramOptions): GitProgram {
  const { settings, environment: secretEnvironment } = credentialArguments(address.credentials);
  const { username = "", password = "" } = address.credentials ?? {};
  // A name like "git" is not a secret and occurs in many messages.
  const secrets = [password, ...(username.length >= 6 ? [username] : [])].filter((secret) => secret !== "");
  let checked: Promise<void> | undefined;
  let ssh: string | undefined;
  return { local, remote };

  async function* local(args: readonly string[], { signal, input }: GitCall = {}): ByteStream {
    await check(signal);
    yield* run(args, { signal, input }, {});
  }

  async function remote(args: readonly string[], { signal, input }: GitCall): Promise<string> {
    await check(signal);
    const environment = { ...secretEnvironment, ...(ssh !== undefined && { GIT_SSH_COMMAND: ssh }) };
    return await text(run([...settings, ...args], { signal, input }, { environment, timeoutMs }));
  }

  /** Checked once; a failure is not cached, since git may be installed meanwhile. */
  async function check(signal: AbortSignal | undefined): Promise<void> {
    checked ??= checkVersion();
    try {
      await checked;
    } catch (error) {
      checked = undefined;
      throw error;
    }
    checkAborted(signal);
  }

  async function checkVersion(): Promise<void> {
    const said = await text(run(["version"], {}, {}));
    const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(said) ?? [];
    const version = [Number(major), Number(minor)] as const;
    if (version[0] < OLDEST[0] || (version[0] === OLDEST[0] && version[1] < OLDEST[1]))
      throw unsupported(`${program} is ${said.trim().slice(0, 100)}, which is too old`);
    const configured = await text(run(["config", "--default", "", "--get", "core.sshCommand"], {}, {}));
    ssh = sshCommand(process.env, configured.trim());
  }

  async function* run(
    args: readonly string[],
    { signal, input }: GitCall,
    more: { environment?: Readonly<Record<string, string>>; timeoutMs?: number },
  ): ByteStream {
    const environment = { ...gitEnvironment({ host: process.env, protocols }), ...more.environment };
    const options = { environment, directory: NOBODYS_DIRECTORY, signal, input, timeoutMs: more.timeoutMs };
    try {
      yield* gitOutput(program, ["--no-pager", ...FIXED_SETTINGS, ...args], options);
    } catch (error) {
      throw error instanceof GitFailed ? shownFailure(error) : error;
    }
  }

  function shownFailure({ code, exitCode, errorText, timedOut }: GitFailed): SkillError {
    if (code === "ENOENT" || code === "EACCES") return unsupported(`There is no program "${program}"`);
    const said = maskedText(errorText, secrets)
      .replace(/\p{Cc}+/gu, " ")
      .trim()
      .slice(-MAX_SHOWN);
    const why = timedOut
      ? `It exceeded the timeout of ${timeoutMs} ms.`
      : said || `It ended with exit code ${exitCode ?? code}.`;
    const message = `git could not read ${address.shown}: ${why} Try the same with git on the command line, and make sure that it does not prompt.`;
    return new SkillError("BACKEND_FAILED", message, { details: { exitCode, timedOut, said } });
  }
}

async function text(stream: ByteStream): Promise<string> {
  return Buffer.from(await readBytes(stream, MAX_TEXT_BYTES)).toString("utf8");
}

function unsupported(what: string): SkillError {
  const remedy = `Install git ${OLDEST.join(".")} or later, or give its path as the option git.`;
  return new SkillError("UNSUPPORTED", `${what}. ${remedy}`);
}

/**
 * A credential helper that prints values from the environment, so that they appear in no process list, and stores
 * nothing.
 */
const HELPER =
  '!f() { if test "$1" = get; then printf "username=%s\\npassword=%s\\n" "$SKILLWRIGHT_GIT_USERNAME" "$SKILLWRIGHT_GIT_PASSWORD"; fi; }; f';

interface CredentialArguments {
  readonly settings: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Passes the credentials of a URL through a helper for its origin only, instead of the user's helpers, which would
 * store them.
 */
function credentialArguments(credentials: GitCredentials | undefined): CredentialArguments {
  if (!credentials) return { settings: [], environment: {} };
  const { origin, username, password } = credentials;
  const key = `credential.${origin}.helper`;
  return {
    settings: ["-c", `${key}=`, "-c", `${key}=${HELPER}`],
    environment: { SKILLWRIGHT_GIT_USERNAME: username, SKILLWRIGHT_GIT_PASSWORD: password },
  };
}
