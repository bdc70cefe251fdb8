import type { CatalogSkill, CatalogSnapshot, Diagnostic, SessionState } from "@skillwright/core";
import { type SpanName, withSpanSync } from "@skillwright/core/adapter";
import { type InjectorOptions, resolvedOptions } from "./injector-options.js";
import { loadedBodies } from "./loads/loaded-bodies.js";
import { guidance } from "./overview/guidance.js";
import { listableSkills } from "./overview/listable-skills.js";
import { overview } from "./overview/overview.js";
import type { SkillContext } from "./skill-context.js";
import { triggerNote } from "./triggers/trigger-note.js";
import { triggeredSkills } from "./triggers/triggered-skills.js";

export interface InjectorInput {
  readonly snapshot: CatalogSnapshot;
  /** Tells which skills are loaded. */
  readonly state?: SessionState | undefined;
  readonly context?: SkillContext | undefined;
  /** Markdown bodies by skill name, for `loadedBodies: "system"` and `putBack`. */
  readonly bodies?: ReadonlyMap<string, string> | undefined;
  /** Texts of selected documents by path, by skill name, in addition to the bodies. */
  readonly documents?: ReadonlyMap<string, ReadonlyMap<string, string>> | undefined;
}

export interface Injection {
  /** Empty where there is nothing to show. */
  readonly text: string;
  /**
   * What was cut or is missing: `overview.cut`, `overview.names-only`, `overview.descriptions-shortened`,
   * `overview.description-cut`, `loaded.body-missing`, `trigger.unknown`, `trigger.untrusted`, `trigger.cut`.
   */
  readonly diagnostics: readonly Diagnostic[];
}

/** The beginning of a request to a model. */
export interface PromptParts {
  /** Missing for a model without system prompts. */
  readonly system: string | undefined;
  /** The user's message as it is sent. Store the original message instead: this text is generated for each request. */
  readonly message: string;
}

/** Generates what the model sees of its skills. Synchronous, without I/O; equal inputs give equal bytes. */
export interface Injector {
  /** Returns what `enhanceSystemPrompt` adds, and what had to be left out. */
  overview(input: InjectorInput): Injection;

  /**
   * Returns the base, a blank line and the skills: guidance, list, loaded bodies. Returns the base unchanged where
   * there are no skills.
   */
  enhanceSystemPrompt(base: string, input: InjectorInput): string;

  /** The same, placed before the user's message, for models without a system prompt. */
  prepareUserMessage(message: string, input: InjectorInput): string;

  /**
   * Uses one or the other, depending on the model; without system prompts, the base is placed before the message, too.
   */
  prompt(
    parts: { readonly base: string; readonly message: string; readonly systemPrompt: boolean },
    input: InjectorInput,
  ): PromptParts;

  /**
   * The active skills, in the order of the overview. With a `context`: those whose triggers match the request and those
   * without triggers. Without one: all that a model may choose from.
   */
  activateSkills(input: Pick<InjectorInput, "snapshot" | "context">): readonly CatalogSkill[];

  /** Their names in the same order. */
  getActiveSkillNames(input: Pick<InjectorInput, "snapshot" | "context">): readonly string[];

  /** Names the triggered skills, for the turn's own message; skills that are already loaded are not named again. */
  turnNote(input: Pick<InjectorInput, "snapshot" | "context" | "state">): Injection;

  /**
   * The loaded skills that the model no longer sees, because history was compacted or cut, as one message. `present`
   * contains those whose text is still there, from `presentLoads`.
   */
  putBack(input: InjectorInput, present: ReadonlySet<string>): Injection;
}

/** @throws SkillError `CONFIG_INVALID` naming the option. */
export function injector(options: InjectorOptions = {}): Injector {
  const resolved = resolvedOptions(options);

  function injection(input: InjectorInput, heading?: string): Injection {
    return told("injector.overview", () => overviewOf(input, heading));
  }

  function overviewOf(input: InjectorInput, heading = "## Skills"): Injection {
    const skills = listableSkills(input.snapshot);
    const loaded = resolved.loadedBodies === "system" ? bodiesOf(input) : { text: "", diagnostics: [] };
    if (skills.length === 0) return loaded;
    const list = overview(skills, resolved);
    const isUsable =
      list.listed > 0 || resolved.tools.has("skill_list") || resolved.tools.has("skill_search");
    const own = isUsable
      ? [resolved.text("heading", heading), resolved.text("guidance", guidance(resolved, list))]
      : [];
    const parts = [...own, list.text, loaded.text];
    return { text: joined(parts), diagnostics: [...list.diagnostics, ...loaded.diagnostics] };
  }

  function enhanceSystemPrompt(base: string, input: InjectorInput): string {
    return joined([base, injection(input).text]);
  }

  function prepareUserMessage(message: string, input: InjectorInput): string {
    return withPreface(injection(input, "## Skills Overview").text, message);
  }

  function activateSkills({
    snapshot,
    context,
  }: Pick<InjectorInput, "snapshot" | "context">): readonly CatalogSkill[] {
    const all = listableSkills(snapshot);
    if (!context) return all;
    const { triggered, untriggered } = triggeredSkills(snapshot, context);
    const active = new Set([...triggered.map(({ skill }) => skill), ...untriggered]);
    return all.filter((skill) => active.has(skill));
  }

  return {
    overview: (input) => injection(input),
    enhanceSystemPrompt,
    prepareUserMessage,
    prompt: ({ base, message, systemPrompt }, input) => {
      if (systemPrompt) return { system: enhanceSystemPrompt(base, input), message };
      const preface = joined([base, injection(input, "## Skills Overview").text]);
      return { system: undefined, message: withPreface(preface, message) };
    },
    activateSkills,
    getActiveSkillNames: (input) => activateSkills(input).map(({ name }) => name),
    turnNote: ({ snapshot, context = {}, state = {} }) =>
      told("injector.note", () => {
        const { triggered, diagnostics } = triggeredSkills(snapshot, context);
        const note = triggerNote(triggered, state, resolved);
        return { text: note.text, diagnostics: [...diagnostics, ...note.diagnostics] };
      }),
    putBack: (input, present) =>
      told("injector.put-back", () => {
        const { text, diagnostics } = bodiesOf(input, present);
        return { text: text && joined([resolved.text("putBack", PUT_BACK), text]), diagnostics };
      }),
  };
}

/** Adds a span with the length of the text and the number of diagnostics. */
function told(name: SpanName, work: () => Injection): Injection {
  return withSpanSync(name, {}, (set) => {
    const injection = work();
    set({ characters: injection.text.length, diagnostics: injection.diagnostics.length });
    return injection;
  });
}

const PUT_BACK = "These skills are loaded. Their instructions:";

/**
 * Places a system prompt's replacement before the user's message; returns the message unchanged where there is none.
 */
export function withPreface(preface: string, message: string): string {
  return preface === "" ? message : `${preface}\n\n## Request\n\n${message}`;
}

function bodiesOf(input: InjectorInput, present?: ReadonlySet<string>): Injection {
  const { snapshot, state = {}, bodies = new Map(), documents = new Map() } = input;
  return loadedBodies(snapshot, state, { bodies, documents }, present);
}

/** Does not use `join`, which would copy a list of many skills. */
function joined(parts: readonly string[]): string {
  return parts.reduce((text, part) => (text && part ? `${text}\n\n${part}` : text || part), "");
}
