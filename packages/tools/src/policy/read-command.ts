import { type Command, type PipelineNode, parse, type Statement, type Word } from "unbash";
import { literalWord } from "./literal-word.js";
import { excerpt, type RefusedSyntax, refusedSyntax, UNDERSTOOD } from "./refused-syntax.js";

const MAX_COMMAND_BYTES = 16 * 1024;
const MAX_SEGMENTS = 32;

/** One program with its arguments, as bash would start it. */
export interface CommandSegment {
  /** Words with quotes and backslashes resolved; an empty argument is kept. */
  readonly words: readonly [string, ...string[]];
}

export type CommandReading = { readonly segments: readonly CommandSegment[] } | RefusedSyntax;

/**
 * Parses a command that consists only of literal words, quotes, `|`, `&&`, `||` and `;`. Anything else is refused by
 * name, and so is text that the parser skipped: only those operators may occur between the words.
 */
export function readCommand(command: string): CommandReading {
  const unfit = textProblem(command);
  if (unfit) return unfit;
  const script = parse(command);
  const commands: Command[] = [];
  for (const statement of script.commands) {
    const refused = gather(statement, commands, command);
    if (refused) return refused;
  }
  const error = script.errors?.[0];
  if (error) return notReadable(command, error);
  if (commands.length > MAX_SEGMENTS)
    return {
      reason: `The command line has ${commands.length} commands; at most ${MAX_SEGMENTS} are allowed.`,
      hint: "Split it over several runs.",
    };
  const words = commands.map((one) => [one.name, ...one.suffix] as Word[]);
  const left = leftover(command, words.flat());
  if (left) return left;
  return segments(words);
}

function textProblem(command: string): RefusedSyntax | undefined {
  const bytes = Buffer.byteLength(command);
  if (bytes > MAX_COMMAND_BYTES)
    return {
      reason: `The command line has ${bytes} bytes; at most ${MAX_COMMAND_BYTES} are allowed.`,
      hint: "Put long text into a file of work/ and give its path.",
    };
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(command))
    return {
      reason: "The command line ends with a backslash that escapes nothing.",
      hint: "Remove it, or double it to mean a backslash.",
    };
  return undefined;
}

/** Adds the statement's commands in order; returns syntax that is not allowed. */
function gather(statement: Statement, commands: Command[], source: string): RefusedSyntax | undefined {
  if (statement.background) return refusedSyntax("Background", "&");
  const { command } = statement;
  const pipelines: readonly PipelineNode[] = command.type === "AndOr" ? command.commands : [command];
  for (const pipeline of pipelines) {
    const parts = pipeline.type === "Pipeline" ? pipeline.commands : [pipeline];
    if (pipeline.type === "Pipeline") {
      const [prefix] = pipeline.prefixes;
      if (prefix) return refusedSyntax(prefix.type, source.slice(prefix.pos, prefix.end));
      if (pipeline.operators.includes("|&")) return refusedSyntax("PipeBoth", "|&");
    }
    for (const part of parts) {
      if (part.type !== "Command") return refusedSyntax(part.type, source.slice(part.pos, part.end));
      const refused = plainCommandProblem(part, source);
      if (refused) return refused;
      commands.push(part);
    }
  }
  return undefined;
}

function plainCommandProblem(command: Command, source: string): RefusedSyntax | undefined {
  const [prefix] = command.prefix;
  if (prefix) return nodeProblem(prefix, source);
  const other = command.suffix.find((part) => part.type !== "Word");
  if (other) return nodeProblem(other, source);
  if (!command.name) return notReadable(source, { message: "a command has no program", pos: command.pos });
  return undefined;
}

function nodeProblem(
  node: { type: string; pos: number; end: number; operator?: string },
  source: string,
): RefusedSyntax {
  const input = node.operator?.startsWith("<") === true;
  const type = node.type === "Redirect" && input ? "InputRedirect" : node.type;
  return refusedSyntax(type, source.slice(node.pos, node.end));
}

function notReadable(source: string, { message, pos }: { message: string; pos: number }): RefusedSyntax {
  return {
    reason: `The command line cannot be parsed: ${message} at ${JSON.stringify(excerpt(source.slice(pos)))}.`,
    hint: "Close every quote and give a command on both sides of an operator.",
  };
}

/** Text outside of the words: a comment, a line break, or something that the parser skipped. */
function leftover(source: string, words: readonly Word[]): RefusedSyntax | undefined {
  let from = 0;
  for (const { pos, end } of [...words, { pos: source.length, end: source.length }]) {
    const between = source.slice(from, pos);
    if (between.includes("#")) return refusedSyntax("Comment", between.slice(between.indexOf("#")));
    const inside = from > 0 && pos < source.length;
    if (inside && between.includes("\n")) return refusedSyntax("LineBreak", between);
    if (!/^[ \t\n]*(?:\|\|?|&&|;)?[ \t\n]*$/.test(between))
      return { reason: `${JSON.stringify(excerpt(between))} is not understood.`, hint: UNDERSTOOD };
    from = end;
  }
  return undefined;
}

function segments(commands: readonly (readonly Word[])[]): CommandReading {
  const read: CommandSegment[] = [];
  for (const command of commands) {
    const words: string[] = [];
    for (const word of command) {
      const literal = literalWord(word);
      if (typeof literal !== "string") return literal;
      words.push(literal);
    }
    read.push({ words: words as [string, ...string[]] });
  }
  if (read.length === 0) return { reason: "The command line has no command.", hint: UNDERSTOOD };
  return { segments: read };
}
