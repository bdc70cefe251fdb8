import { mkdir, open, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CallOptions, Diagnostic } from "@skillwright/core";
import type { AgentProfile, ProfileText } from "./agent-profile.js";

const FILE = "AGENT.md";
const FOLDER = join(".skillwright", "agent");
const MAX_BYTES = 32 * 1024;

export interface ProfileFilesOptions {
  /** The user's home: `.skillwright/agent/AGENT.md` in it is made with a default text where it is missing. */
  readonly home: string;
  /** Adds `.skillwright/agent/<agent>/AGENT.md` of the home, for that agent alone. */
  readonly agent?: string | undefined;
  /**
   * Adds `.skillwright/agent/AGENT.md` of this folder. It speaks to the model with the system's voice, so name only a
   * project whose authors may do that.
   */
  readonly project?: string | undefined;
}

/**
 * The profile from files, read anew each time: the user's, then the agent's, then the project's, those that are there.
 * Of each 32 KiB are read (`profile.cut`). A file that cannot be made or read is told (`profile.unreadable`) and left out.
 * Source: seed 000.
 */
export function profileFiles({ home, agent, project }: ProfileFilesOptions): AgentProfile {
  const own = join(home, FOLDER, FILE);
  const others = [
    ...(agent === undefined
      ? []
      : [join(home, FOLDER, encodeURIComponent(agent).replaceAll(".", "%2E"), FILE)]),
    ...(project === undefined ? [] : [join(project, FOLDER, FILE)]),
  ];

  async function read({ signal }: CallOptions = {}): Promise<ProfileText> {
    const diagnostics: Diagnostic[] = [];
    const texts: string[] = [];
    await makeDefault(own).catch((error: unknown) => diagnostics.push(unreadable(own, error)));
    for (const path of [...new Set([own, ...others])]) {
      signal?.throwIfAborted();
      try {
        const { text, isCut } = await beginning(path);
        if (isCut) diagnostics.push(cut(path));
        if (text.trim() !== "") texts.push(text.trim());
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") diagnostics.push(unreadable(path, error));
      }
    }
    return { text: texts.join("\n\n"), diagnostics };
  }

  return { read };
}

/** Never over a file that is there, also when two agents start at once. */
async function makeDefault(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, DEFAULT_PROFILE, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}

async function beginning(path: string): Promise<{ text: string; isCut: boolean }> {
  const file = await open(path, "r");
  try {
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
    message: `Of the profile only the first ${MAX_BYTES} bytes are used.`,
    hint: "Make the file shorter; put instructions for particular kinds of work into skills.",
    path,
  };
}

function unreadable(path: string, error: unknown): Diagnostic {
  const why = (error as NodeJS.ErrnoException).code ?? String(error);
  return {
    code: "profile.unreadable",
    severity: "warning",
    message: `The agent's profile cannot be used (${why}).`,
    hint: "Make the file readable, and its folder writable.",
    path,
  };
}
