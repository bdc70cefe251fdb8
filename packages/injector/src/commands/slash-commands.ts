import { type CatalogSkill, type Diagnostic, skillFields } from "@skillwright/core";
import { oneLine, shortened } from "../overview/one-line.js";
import { commandFile } from "./command-file.js";
import { commandName, freeName } from "./command-name.js";

/** The maximum that some clients show. */
const MAX_DESCRIPTION = 100;

/** A command that a person starts with `/name arguments`. */
export interface SlashCommand {
  /** Lower-case letters, digits and `_`, at most 32 characters; unique among the commands. */
  readonly name: string;
  /** On one line, at most 100 characters; may be empty. */
  readonly description: string;
  /** Describes the arguments, such as `[file] [language]`, at most 100 characters. */
  readonly argumentHint?: string;
  /** The skill that it starts. Missing for a command's file. */
  readonly skill?: string;
  /**
   * The tool that the command calls with its arguments, without a model: `command-tool` of a skill that has
   * `command-dispatch: tool`. Only for skills of trusted sources.
   */
  readonly tool?: string;
}

export interface SlashCommandsInput {
  /** Texts of `commands/*.md` by file name without the extension. */
  readonly files?: ReadonlyMap<string, string> | undefined;
  /** Skills that people may start also become commands; `user-invocable: false` excludes one. */
  readonly skills?: readonly CatalogSkill[] | undefined;
  /** Names that already have another meaning. */
  readonly reserved?: readonly string[] | undefined;
}

/** The expansion of a message that begins with a command. */
export interface ExpandedCommand {
  readonly command: SlashCommand;
  /** The text after the name, trimmed. */
  readonly given: string;
  /**
   * The text for the model: the file's text with the arguments filled in. For a skill, a request to use it; the caller
   * adds its body with `skillCommandText`.
   */
  readonly text: string;
}

export interface SlashCommands {
  /** In the order in which names were assigned: files, then skills, in input order. */
  readonly commands: readonly SlashCommand[];
  /** `command.renamed` for each command whose name differs from its file's or skill's beyond case and `-`. */
  readonly diagnostics: readonly Diagnostic[];
  /** `undefined` for a message that does not begin with one of these commands. `/Hello-World` finds `hello_world`. */
  expand(message: string): ExpandedCommand | undefined;
}

/**
 * Commands of files and skills, with names that can be typed after a slash. If two result in the same name, the later
 * one gets a number: `hello_world_2`; so does a command whose name is reserved.
 */
export function slashCommands(input: SlashCommandsInput): SlashCommands {
  const { files = new Map(), skills = [], reserved = [] } = input;
  const taken = new Set(reserved.map(commandName));
  const known = new Map<string, { readonly command: SlashCommand; readonly text: string | undefined }>();
  const diagnostics: Diagnostic[] = [];
  for (const [file, content] of files) {
    const { text, description, argumentHint } = commandFile(content);
    add(file, { description, argumentHint, text });
  }
  for (const skill of skills) {
    if (!skillFields(skill.frontmatter).userInvocable) continue;
    const hint = skill.frontmatter["argument-hint"];
    const argumentHint = typeof hint === "string" ? hint : undefined;
    add(skill.name, {
      description: skill.description,
      argumentHint,
      skill: skill.name,
      tool: calledTool(skill),
    });
  }

  function add(
    label: string,
    from: {
      description: string;
      argumentHint: string | undefined;
      text?: string;
      skill?: string;
      tool?: string | undefined;
    },
  ): void {
    const name = freeName(commandName(label), taken);
    taken.add(name);
    if (name !== commandName(label)) diagnostics.push(renamed(label, name));
    const command: SlashCommand = {
      name,
      description: shortened(oneLine(from.description), MAX_DESCRIPTION),
      ...(from.argumentHint && { argumentHint: shortened(oneLine(from.argumentHint), MAX_DESCRIPTION) }),
      ...(from.skill === undefined ? {} : { skill: from.skill }),
      ...(from.tool === undefined ? {} : { tool: from.tool }),
    };
    known.set(name, { command, text: from.text });
  }

  function expand(message: string): ExpandedCommand | undefined {
    const [, typed = "", rest = ""] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(message.trim()) ?? [];
    const found = typed === "" ? undefined : known.get(commandName(typed));
    if (!found) return undefined;
    const given = rest.trim();
    const { command, text } = found;
    return {
      command,
      given,
      text: text === undefined ? skillRequest(command, given) : withArguments(text, given),
    };
  }

  return { commands: [...known.values()].map(({ command }) => command), diagnostics, expand };
}

function calledTool({ frontmatter, trusted }: CatalogSkill): string | undefined {
  const tool = frontmatter["command-tool"];
  const isCalled = trusted && frontmatter["command-dispatch"] === "tool" && typeof tool === "string";
  return isCalled ? tool : undefined;
}

function skillRequest({ skill = "" }: SlashCommand, given: string): string {
  const request = `Use the skill ${JSON.stringify(skill)}.`;
  return given === "" ? request : `${request}\n\n${given}`;
}

function renamed(label: string, name: string): Diagnostic {
  return {
    code: "command.renamed",
    severity: "info",
    message: `The command of ${JSON.stringify(label)} is called /${name}, because its own name is taken or reserved.`,
    hint: "Rename one of them.",
  };
}

/**
 * Fills in the arguments: `$ARGUMENTS` is the whole text, `$1` to `$9` are its words (quotes group several; a missing
 * one is empty). A text without placeholders gets the arguments appended on separate lines. The arguments themselves
 * are not searched for placeholders.
 */
function withArguments(text: string, given: string): string {
  const words = argumentWords(given);
  let asked = false;
  const filled = text.replace(/\$(?:ARGUMENTS\b|([1-9])(?!\d))/g, (_whole, digit: string | undefined) => {
    asked = true;
    return digit === undefined ? given : (words[Number(digit) - 1] ?? "");
  });
  return asked || given === "" ? filled : `${filled}\n\n${given}`;
}

function argumentWords(given: string): readonly string[] {
  return [...given.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}
