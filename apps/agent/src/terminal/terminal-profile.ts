import { resolve } from "node:path";
import { type AgentProfile, type ProjectProfile, profileFiles } from "@skillwright/agent";
import type { CallOptions, TrustStore } from "@skillwright/core";
import { untilAborted } from "@skillwright/core/adapter";
import { escaped } from "./escaped-rows.js";
import type { Screen } from "./screen.js";
import { saysYes } from "./terminal-approval.js";
import type { TerminalInput } from "./terminal-input.js";

const MOST_LINES = 20;
const SOURCE = "project profile";

export interface TerminalProfileOptions {
  readonly home: string;
  /** The person's working directory. */
  readonly cwd: string;
  readonly agent: string | undefined;
  /** True where the home's configuration trusts the project; the person is then not asked. */
  readonly trustsProject: boolean;
  readonly yes: boolean;
  /** Stores decisions about texts. */
  readonly trust: TrustStore | undefined;
}

/**
 * The profiles of the user, of the agent and of the project. A project's profile came with foreign files and is used
 * only after a person approved this exact text; where there is no person, it is left out.
 */
export function terminalProfile(
  screen: Screen,
  input: Pick<TerminalInput, "isTerminal" | "ask">,
  options: TerminalProfileOptions,
): AgentProfile {
  const { home, cwd, agent, trustsProject, yes, trust } = options;
  const project = resolve(home) === resolve(cwd) ? undefined : cwd;

  async function allowProject(profile: ProjectProfile, { signal }: CallOptions): Promise<boolean> {
    const { digest } = profile;
    if (await trust?.isAllowed(digest, SOURCE, { signal })) return true;
    if (!yes && !input.isTerminal) return false;
    show(screen, profile);
    if (yes) {
      screen.line("      allowed by --yes");
      return true;
    }
    if (trust) screen.prose(screen.colours.dim("      Your approval is stored until the text changes."));
    if (!(await untilAborted(saysYes(input, "      Use it? [y/N] "), signal))) return false;
    await trust?.allow(digest, SOURCE, { signal });
    return true;
  }

  return profileFiles({ home, agent, project, ...(trustsProject ? {} : { allowProject }) });
}

function show(screen: Screen, { path, digest, text }: ProjectProfile): void {
  const { colours } = screen;
  // Invisible text could still instruct the model.
  const lines = text.split("\n").map(escaped);
  const others = lines.length - MOST_LINES;
  screen.prose(`    ${colours.yellow("?")} ${QUESTION}`, 6);
  screen.prose(`      ${"file".padEnd(8)} ${escaped(path)}`, 15);
  screen.prose(`      ${"digest".padEnd(8)} ${digest}`, 15);
  for (const line of lines.slice(0, MOST_LINES)) screen.prose(`      │ ${line}`, 8);
  if (others > 0) screen.prose(`      and ${others} more lines: read the file before you approve it`, 8);
}

const QUESTION =
  "The project contains a profile for the agent, which would become part of the system prompt.";
