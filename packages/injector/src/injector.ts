import type { CatalogSkill, CatalogSnapshot, Diagnostic, JsonValue, SessionState } from "@skillwright/core";
import { guidance } from "./guidance.js";
import { type InjectorOptions, resolvedOptions } from "./injector-options.js";
import { listableSkills } from "./listable-skills.js";
import { loadedBodies } from "./loaded-bodies.js";
import { overview } from "./overview.js";

/** What is known of the request when the text is made. Nothing of it changes the system text. */
export interface SkillContext {
  readonly userMessage?: string | undefined;
  /** Such as `/write`. */
  readonly command?: string | undefined;
  readonly files?: readonly string[] | undefined;
  readonly metadata?: Readonly<Record<string, JsonValue>> | undefined;
}

export interface InjectorInput {
  readonly snapshot: CatalogSnapshot;
  /** Says which skills are loaded; only read with `loadedBodies: "system"`. */
  readonly state?: SessionState | undefined;
  readonly context?: SkillContext | undefined;
  /** Markdown bodies by skill name, for `loadedBodies: "system"`. */
  readonly bodies?: ReadonlyMap<string, string> | undefined;
}

export interface Injection {
  /** Empty where there is no skill to tell of. */
  readonly text: string;
  /** What was cut or is missing: `overview.cut`, `overview.description-cut`, `loaded.body-missing`. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Writes what the model sees of its skills. Synchronous, without I/O; equal inputs give equal bytes. */
export interface Injector {
  /** What `enhanceSystemPrompt` adds, and what had to be left out of it. */
  overview(input: InjectorInput): Injection;

  /** The base, a blank line and the skills: guidance, list, loaded bodies. The base as it was where there are no skills. */
  enhanceSystemPrompt(base: string, input: InjectorInput): string;

  /** The same before the user's message, for models without a system prompt. */
  prepareUserMessage(message: string, input: InjectorInput): string;

  /** The skills a model may choose from, trusted and stronger sources first; not those with `disable-model-invocation`. */
  activateSkills(input: Pick<InjectorInput, "snapshot" | "context">): readonly CatalogSkill[];

  /** Their names in the same order. */
  getActiveSkillNames(input: Pick<InjectorInput, "snapshot" | "context">): readonly string[];
}

/** @throws SkillError `CONFIG_INVALID` naming the option. */
export function injector(options: InjectorOptions = {}): Injector {
  const resolved = resolvedOptions(options);

  function injection(
    { snapshot, state = {}, bodies = new Map() }: InjectorInput,
    heading = "## Skills",
  ): Injection {
    const skills = listableSkills(snapshot);
    const loaded =
      resolved.loadedBodies === "system"
        ? loadedBodies(snapshot, state, bodies)
        : { text: "", diagnostics: [] };
    if (skills.length === 0) return loaded;
    const list = overview(skills, resolved);
    const parts = [`${heading}\n\n${guidance(resolved)}`, list.text, loaded.text];
    return {
      text: parts.filter((part) => part !== "").join("\n\n"),
      diagnostics: [...list.diagnostics, ...loaded.diagnostics],
    };
  }

  function enhanceSystemPrompt(base: string, input: InjectorInput): string {
    const { text } = injection(input);
    return [base, text].filter((part) => part !== "").join("\n\n");
  }

  function prepareUserMessage(message: string, input: InjectorInput): string {
    const { text } = injection(input, "## Skills Overview");
    return text === "" ? message : `${text}\n\n## Request\n\n${message}`;
  }

  function activateSkills({ snapshot }: Pick<InjectorInput, "snapshot">): readonly CatalogSkill[] {
    return listableSkills(snapshot);
  }

  return {
    overview: (input) => injection(input),
    enhanceSystemPrompt,
    prepareUserMessage,
    activateSkills,
    getActiveSkillNames: (input) => activateSkills(input).map(({ name }) => name),
  };
}
