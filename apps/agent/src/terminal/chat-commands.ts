import { type HostFolderChange, SkillError } from "@skillwright/core";
import type { App } from "./app.js";
import { approvalCommand } from "./approval-command.js";
import { escaped } from "./escaped-rows.js";
import { isFolder, namedFile } from "./files-in-request.js";
import { formatBytes } from "./format.js";
import { proposalCommand } from "./proposal-command.js";
import type { Screen } from "./screen.js";
import { notThere, uploadShown } from "./upload-files.js";

interface ChatCommandContext {
  readonly screen: Screen;
  readonly app: App;
  readonly signal: AbortSignal;
}

interface ChatCommand {
  readonly usage: string;
  readonly help: string;
  readonly run: (context: ChatCommandContext, argument: string) => Promise<void>;
}

/** Executes a line that begins with `/`; `undefined` for anything addressed to the model. */
export async function chatCommand(
  context: ChatCommandContext,
  line: string,
): Promise<"go-on" | "quit" | undefined> {
  const [, typed, argument = ""] = /^\/([a-z]*)(?:\s+(.*))?$/is.exec(line) ?? [];
  if (typed === undefined) return undefined;
  const name = typed.toLowerCase();
  if (name === "quit" || name === "exit") return "quit";
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) await command.run(context, argument.trim());
  // The agent expands commands of skills and of commands/*.md.
  else if ((await context.app.agent.commands(context)).some((one) => one.name === typed)) return undefined;
  else
    context.screen.prose(
      `  There is no command /${typed}. /help lists the commands; a message cannot start with /.\n`,
    );
  return "go-on";
}

const COMMANDS: Readonly<Record<string, ChatCommand>> = {
  upload: {
    usage: "/upload FILE",
    help: "copy a file into the workspace",
    run: async ({ screen, app, signal }, argument) => {
      const named = argument.replace(/^(["'])(.*)\1$/s, "$2");
      if (!named)
        throw new SkillError(
          "INPUT_INVALID",
          "/upload needs a file. Write /upload FILE, such as /upload data/orders.csv.",
        );
      const file = await namedFile(named, app.fileRoots);
      if (!file && (await isFolder(named, app.fileRoots))) throw folderNamed(named);
      if (!file) throw new SkillError("FILE_NOT_FOUND", notThere(named, app.fileRoots));
      await uploadShown(screen, app, file, signal);
    },
  },
  skills: { usage: "/skills", help: "list the skills and where they come from", run: showSkills },
  files: { usage: "/files", help: "list uploads and outputs in the workspace", run: showFiles },
  compact: {
    usage: "/compact",
    help: "replace the conversation so far with a summary",
    run: async ({ screen, app, signal }) => {
      const isShorter = await app.agent.compact({ signal });
      screen.prose(
        isShorter
          ? "  The conversation so far was replaced with a summary."
          : "  There is nothing to summarize yet.",
      );
    },
  },
  diff: { usage: "/diff", help: "show what changed in your folder since the last snapshot", run: showDiff },
  undo: {
    usage: "/undo",
    help: "bring your folder back to before the last turn that could change it",
    run: undo,
  },
  proposals: {
    usage: "/proposals",
    help: "list changes of skills that wait; with ID show one, with apply ID or refuse ID decide on it",
    run: proposalCommand,
  },
  approvals: {
    usage: "/approvals",
    help: "list questions that conversations of a server wait for; with ID show one, with once ID, always ID or refuse ID REASON answer it",
    run: approvalCommand,
  },
  reset: {
    usage: "/reset",
    help: "delete the conversation; files and artifacts are kept",
    run: async ({ screen, app }) => {
      await app.agent.reset();
      screen.prose("  The conversation was deleted; files and artifacts were kept.");
    },
  },
  help: {
    usage: "/help",
    help: "this list",
    run: async ({ screen, app, signal }) => {
      for (const { usage, help } of Object.values(COMMANDS)) screen.line(`  ${usage.padEnd(14)} ${help}`);
      screen.line(`  ${"/quit".padEnd(14)} exit (also Ctrl-D)`);
      for (const { name, argumentHint = "", description } of await app.agent.commands({ signal }))
        screen.line(`  ${`/${name} ${argumentHint}`.padEnd(14)} ${description}`);
      screen.prose("  Files whose path is in a message are uploaded automatically. Ctrl-C stops a turn.");
    },
  },
};

/** Names that commands of skills cannot have here. */
export const RESERVED_COMMANDS: readonly string[] = [...Object.keys(COMMANDS), "quit", "exit"];

function folderNamed(named: string): SkillError {
  return new SkillError(
    "INPUT_INVALID",
    `${named} is a folder. Upload its files one by one, pack them into one archive, or start with --workspace ${named}, so that commands work in the folder itself.`,
  );
}

async function showSkills({ screen, app, signal }: ChatCommandContext): Promise<void> {
  const { colours } = screen;
  const { skills, broken, diagnostics } = await app.agent.skills({ signal });
  if (skills.length === 0)
    screen.prose("  No skills were found. Start with --skills DIR, or add a skill to .agents/skills.");
  for (const { name, description, source, trusted } of skills) {
    const asks = trusted ? "" : colours.yellow(" needs approval before its first run");
    screen.line(`  ${colours.bold(name)} ${colours.dim(source)}${asks}`);
    screen.line(`    ${description}`);
  }
  for (const { path, source, diagnostics: reasons } of broken)
    screen.line(colours.yellow(`  ${path} (${source}) is broken: ${reasons[0]?.message ?? ""}`));
  for (const { message, hint } of diagnostics) screen.line(colours.dim(`  ${message} ${hint}`));
}

async function showDiff({ screen, app, signal }: ChatCommandContext): Promise<void> {
  const folder = folderOf(app);
  const difference = await folder.diff({ signal });
  if (!difference) return screen.prose(`  Nothing has changed ${folder.path} through this agent yet.`);
  if (difference.changes.length === 0) screen.prose(`  ${folder.path} is as it was at the last snapshot.`);
  for (const change of difference.changes) showChange(screen, change);
}

async function undo({ screen, app, signal }: ChatCommandContext): Promise<void> {
  const folder = folderOf(app);
  const undone = await folder.undo({ signal });
  if (!undone) return screen.prose(`  There is no snapshot of ${folder.path} to go back to.`);
  screen.prose(`  ${folder.path} is as it was at the last snapshot. Brought back: ${undone.changes.length}.`);
  for (const { path, change } of undone.changes) screen.line(`  ${change.padEnd(8)} ${escaped(path)}`);
}

function folderOf({ agent }: App): NonNullable<App["agent"]["hostFolder"]> {
  if (agent.hostFolder) return agent.hostFolder;
  throw new SkillError("UNSUPPORTED", "There is no folder of yours here. Start with --workspace FOLDER.");
}

function showChange(screen: Screen, { path, change, lines = [] }: HostFolderChange): void {
  const { colours } = screen;
  screen.line(`  ${change.padEnd(8)} ${colours.bold(escaped(path))}`);
  for (const line of lines)
    screen.line(`    ${line.startsWith(" ") ? colours.dim(escaped(line)) : escaped(line)}`);
}

async function showFiles({ screen, app, signal }: ChatCommandContext): Promise<void> {
  const files = await app.agent.files({ signal });
  if (files.length === 0) screen.prose("  There are no files yet. Upload one with /upload FILE.");
  for (const { path, mimeType, size } of files) screen.line(`  ${path}  ${mimeType}, ${formatBytes(size)}`);
}
