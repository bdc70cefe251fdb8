import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, realpath, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type CallOptions, type Diagnostic, SkillError } from "@skillwright/core";
import type { AgentProfile, ProfileText } from "./agent-profile.js";

const FILE = "AGENT.md";
const FOLDER = join(".skillwright", "agent");
const MAX_BYTES = 32 * 1024;

/** The user, agent and project whose profiles are read. */
export interface ProfileFilesOptions {
  /** The user's home: `.skillwright/agent/AGENT.md` in it is created with a default text where it is missing. */
  readonly home: string;
  /** Adds `.skillwright/agent/<agent>/AGENT.md` of the home, for that agent only. */
  readonly agent?: string | undefined;
  /**
   * Adds `.skillwright/agent/AGENT.md` of this folder. The model gets it as a system message, so name only a project
   * whose authors may write one. Links below the folder are not followed.
   */
  readonly project?: string | undefined;
  /** Called each time before the project's text is used; refused text is left out. Without it, all text is used. */
  readonly allowProject?: ((profile: ProjectProfile, options: CallOptions) => Promise<boolean>) | undefined;
}

/** The project's profile text. */
export interface ProjectProfile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  /** `sha256:` over the text. */
  readonly digest: string;
}

/**
 * The profile from files, read each time: the user's, then the agent's, then the project's, as far as they exist. At
 * most 32 KiB of each are read (`profile.cut`). A file that cannot be created or read (`profile.unreadable`) or is not
 * allowed (`profile.not-allowed`) is reported and left out.
 */
export function profileFiles({ home, agent, project, allowProject }: ProfileFilesOptions): AgentProfile {
  const own = join(home, FOLDER, FILE);
  const ofAgent = agent === undefined ? undefined : join(home, FOLDER, folderOf(agent), FILE);
  const ofProject = project === undefined ? undefined : join(project, FOLDER, FILE);
  const all = new Set([own, ofAgent, ofProject].filter((path) => path !== undefined));

  async function read({ signal }: CallOptions = {}): Promise<ProfileText> {
    const diagnostics: Diagnostic[] = [];
    const texts: string[] = [];
    await makeDefault(own).catch((error: unknown) => diagnostics.push(unreadable(own, error)));
    for (const path of all) {
      signal?.throwIfAborted();
      try {
        const isProject = path !== own && path === ofProject;
        if (isProject) await checkNoLink(path, project ?? "");
        const { text: whole, isCut } = await beginning(path);
        if (isCut) diagnostics.push(cut(path));
        const text = whole.trim();
        if (text === "") continue;
        if (isProject && !(await isAllowed(path, text, signal))) diagnostics.push(notAllowed(path));
        else texts.push(text);
      } catch (error) {
        if (SkillError.is(error)) throw error;
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") diagnostics.push(unreadable(path, error));
      }
    }
    return { text: texts.join("\n\n"), diagnostics };
  }

  async function isAllowed(path: string, text: string, signal: AbortSignal | undefined): Promise<boolean> {
    const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
    return allowProject === undefined || (await allowProject({ path, text, digest }, { signal }));
  }

  return { read };
}

/** A single folder name for any agent name. */
function folderOf(agent: string): string {
  return encodeURIComponent(agent).replaceAll(".", "%2E");
}

/** Never overwrites an existing file, even when two agents start at once. */
async function makeDefault(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, DEFAULT_PROFILE, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}

/** The project's author could otherwise make a link to any file of this machine. */
async function checkNoLink(path: string, folder: string): Promise<void> {
  const real = await realpath(path);
  if (real !== join(await realpath(folder), FOLDER, FILE))
    throw new Error("it is a symlink, or its path contains one");
}

async function beginning(path: string): Promise<{ text: string; isCut: boolean }> {
  // Opening a pipe would otherwise wait for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw new Error("it is not a regular file");
    const buffer = Buffer.alloc(MAX_BYTES + 1);
    let size = 0;
    for (let read = 1; read > 0 && size < buffer.length; size += read)
      read = (await file.read(buffer, size, buffer.length - size, size)).bytesRead;
    const text = new TextDecoder().decode(buffer.subarray(0, Math.min(size, MAX_BYTES)));
    return { text: text.replace(/\r\n?/g, "\n").replace(/\ufffd$/, ""), isCut: size > MAX_BYTES };
  } finally {
    await file.close();
  }
}

const DEFAULT_PROFILE = `# Agent profile

- Answer in the language of the request, short and in plain words.
- Say what you did, what failed and what you are not sure of.
- Ask before anything that cannot be undone.
`;

function cut(path: string): Diagnostic {
  return {
    code: "profile.cut",
    severity: "warning",
    message: `Only the first ${MAX_BYTES} bytes of the profile are used.`,
    hint: "Shorten the file; put instructions for particular kinds of work into skills.",
    path,
  };
}

function notAllowed(path: string): Diagnostic {
  return {
    code: "profile.not-allowed",
    severity: "warning",
    message: `The project's profile ${path} is left out, because it was not approved for the system prompt.`,
    hint: "Review it and approve it at a terminal, or add the project's folder to `trusted_projects` in ~/.skillwright/skillwright.config.json.",
    path,
  };
}

function unreadable(path: string, error: unknown): Diagnostic {
  const why =
    (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.message : String(error));
  return {
    code: "profile.unreadable",
    severity: "warning",
    message: `The agent's profile cannot be used (${why}).`,
    hint: "Make the file readable and its folder writable.",
    path,
  };
}
