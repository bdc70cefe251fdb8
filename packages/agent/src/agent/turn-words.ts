import type { CallOptions, CatalogSnapshot, SkillCatalog, StateDelta } from "@skillwright/core";
import {
  type SkillContext,
  type SlashCommands,
  skillCommandText,
  slashCommands,
} from "@skillwright/injector";

export interface TurnWordsInput extends CallOptions {
  readonly message: string;
  readonly commands: SlashCommands;
  readonly catalog: SkillCatalog;
  /** True where bodies of loaded skills are in the system prompt, and so not in the message as well. */
  readonly isInSystem: boolean;
}

export interface TurnWords {
  /** The user's words, with a command expanded. */
  readonly words: string;
  /** The command's name. */
  readonly command: string | undefined;
  /** Marks the skill that a command started. */
  readonly delta: StateDelta;
}

/**
 * The user's words for the model: for a command, its file's text, or the request and instructions of its skill.
 * @throws SkillError as `SkillCatalog.load`.
 */
export async function turnWords(input: TurnWordsInput): Promise<TurnWords> {
  const { message, commands, catalog, isInSystem, signal } = input;
  const expanded = commands.expand(message);
  if (!expanded) return { words: message, command: undefined, delta: {} };
  const { command, text } = expanded;
  if (command.skill === undefined) return { words: text, command: command.name, delta: {} };
  const { body } = await catalog.load(command.skill, { signal });
  const told = skillCommandText(expanded, body);
  return { words: isInSystem ? text : told.text, command: command.name, delta: told.delta };
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
