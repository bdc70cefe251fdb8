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
  /** True where bodies of loaded skills stand in the system prompt: then not in the message as well. */
  readonly isInSystem: boolean;
}

export interface TurnWords {
  /** What the user said, a command written out. */
  readonly words: string;
  /** The command's name. */
  readonly command: string | undefined;
  /** Marks the skill that a command started. */
  readonly delta: StateDelta;
}

/**
 * The user's words as the model gets them: a command's file, or for a skill's command its instructions as well.
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

/** The commands of a conversation at one moment. */
export function agentCommands(
  files: ReadonlyMap<string, string>,
  { skills }: CatalogSnapshot,
  reserved: readonly string[],
): SlashCommands {
  return slashCommands({ files, skills, reserved });
}

/** What triggers go by in a turn. */
export function turnContext(
  message: string,
  command: string | undefined,
  uploads: readonly { readonly path: string }[],
  { files = [], metadata }: Pick<SkillContext, "files" | "metadata"> = {},
): SkillContext {
  const all = [...files, ...uploads.map(({ path }) => path)];
  return { userMessage: message, files: all, ...(command && { command }), ...(metadata && { metadata }) };
}
