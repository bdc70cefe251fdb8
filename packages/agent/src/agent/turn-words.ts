import type {
  CallOptions,
  CatalogSkill,
  CatalogSnapshot,
  Diagnostic,
  SkillCatalog,
  StateDelta,
} from "@skillwright/core";
import {
  type ExpandedCommand,
  mentionedSkills,
  type SkillContext,
  type SlashCommands,
  skillCommandText,
  skillMentionText,
  slashCommands,
} from "@skillwright/injector";
import { instructions } from "../skills/instructions.js";

export interface TurnWordsInput extends CallOptions {
  readonly message: string;
  readonly commands: SlashCommands;
  readonly catalog: SkillCatalog;
  /** Skills that the message can mention. */
  readonly skills: readonly CatalogSkill[];
  /** Names of the tools that a command can call. */
  readonly tools: { has(name: string): boolean };
  /** True where bodies of loaded skills are in the system prompt, and so not in the message as well. */
  readonly isInSystem: boolean;
}

export interface TurnWords {
  /** The user's words, with a command expanded. */
  readonly words: string;
  /** The command's name. */
  readonly command: string | undefined;
  /** The tool that the command calls in the place of the model. */
  readonly call: CommandCall | undefined;
  /** Marks the skills that a command started or the message mentions. */
  readonly delta: StateDelta;
  readonly diagnostics: readonly Diagnostic[];
}

/** A command that calls a tool, with its arguments as they were typed. */
export interface CommandCall {
  readonly tool: string;
  readonly command: string;
  readonly commandName: string;
  readonly skillName: string;
}

/**
 * The user's words for the model: for a command, its file's text, or the request and instructions of its skill; then the
 * instructions of mentioned skills.
 * @throws SkillError as `SkillCatalog.load`.
 */
export async function turnWords(input: TurnWordsInput): Promise<TurnWords> {
  const { message, commands, catalog, tools, isInSystem, signal } = input;
  const expanded = commands.expand(message);
  const call = expanded && commandCall(expanded);
  const command = expanded?.command.name;
  if (call && tools.has(call.tool))
    return { words: message.trim(), command, call, delta: {}, diagnostics: [] };
  const started = expanded?.command.skill;
  const mentioned = mentionedSkills(expanded?.given ?? message, input.skills);
  const bodies = new Map<string, string>();
  for (const name of mentioned.names)
    if (name !== started) bodies.set(name, instructions(await catalog.load(name, { signal })));
  const plain = expanded?.text ?? message;
  const own =
    expanded && started !== undefined
      ? skillCommandText(expanded, instructions(await catalog.load(started, { signal })))
      : { text: plain, delta: {} };
  const told = skillMentionText(own.text, bodies);
  return {
    words: isInSystem ? plain : told.text,
    command,
    call: undefined,
    delta: { ...own.delta, ...told.delta },
    diagnostics: [...(call ? [noSuchTool(call)] : []), ...mentioned.diagnostics],
  };
}

function commandCall({ command, given }: ExpandedCommand): CommandCall | undefined {
  const { name, skill, tool } = command;
  if (skill === undefined || tool === undefined) return undefined;
  return { tool, command: given, commandName: name, skillName: skill };
}

function noSuchTool({ tool, skillName }: CommandCall): Diagnostic {
  return {
    code: "command.tool-missing",
    severity: "warning",
    message: `The command of the skill "${skillName}" calls the tool "${tool}", which this agent does not have. The model got the request instead.`,
    hint: "Give the agent that tool, or remove `command-dispatch` from the skill.",
  };
}

/** The current commands of a conversation. */
export function agentCommands(
  files: ReadonlyMap<string, string>,
  { skills }: CatalogSnapshot,
  reserved: readonly string[],
): SlashCommands {
  return slashCommands({ files, skills, reserved });
}

/** The data for triggers in a turn. */
export function turnContext(
  message: string,
  command: string | undefined,
  uploads: readonly { readonly path: string }[],
  { files = [], metadata }: Pick<SkillContext, "files" | "metadata"> = {},
): SkillContext {
  const all = [...files, ...uploads.map(({ path }) => path)];
  return { userMessage: message, files: all, ...(command && { command }), ...(metadata && { metadata }) };
}
