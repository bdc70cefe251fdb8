import { type CatalogSkill, SkillError } from "@skillwright/core";

/** Defines how a list of skills is written. Pure: equal skills must give equal text. */
export interface OverviewRenderer {
  /** Text before the entries, on separate lines. */
  readonly open: string;
  /** Text after them; may be empty. */
  readonly close: string;
  /**
   * Writes one skill. `description` is on one line and not escaped, shortened where space is limited, and missing where
   * there is none for descriptions. The name is passed unchanged.
   */
  entry(skill: CatalogSkill, description: string | undefined): string;
}

/**
 * Replaces a text of the injector, or changes it: a function gets the text as it would be. An empty text removes it.
 * Functions must be pure.
 */
export type InjectorText = string | ((text: string) => string);

/** The texts around lists and bodies. Lists, bodies, names and reasons stay as they are. */
export interface InjectorTexts {
  /** Before guidance and list: `## Skills`, or `## Skills Overview` before a user's message. */
  readonly heading?: InjectorText | undefined;
  /**
   * Explains how to use the skills. It also says that descriptions from untrusted sources are data; a replacement
   * should say so, too.
   */
  readonly guidance?: InjectorText | undefined;
  /** What to do with the triggered skills, after their names. */
  readonly triggered?: InjectorText | undefined;
  /** Before the bodies that `putBack` adds. */
  readonly putBack?: InjectorText | undefined;
}

/**
 * `xml`: `<available_skills>`; `markdown`: a list with the path of each SKILL.md; `names`: names without descriptions.
 */
export type OverviewFormat = "xml" | "markdown" | "names";

export interface InjectorOptions {
  /** One of the formats, or a custom renderer. Defaults to `xml`. */
  readonly format?: OverviewFormat | OverviewRenderer | undefined;
  /**
   * Maximum characters (UTF-16 units) of the list, including its note on what was cut. Defaults to 4,000; unlimited
   * where only `maxTokens` is given.
   */
  readonly maxCharacters?: number | undefined;
  /** Maximum tokens of the list, as counted by `countTokens`. Defaults to unlimited. */
  readonly maxTokens?: number | undefined;
  /** Counts the tokens of a text for the model in use. Required with `maxTokens`; must be pure. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** Maximum number of skills in the list. Defaults to 32. */
  readonly maxSkills?: number | undefined;
  /** Keys of the skills' `metadata` that the format `xml` shows, each as `<entry key="...">`. Defaults to none. */
  readonly metadata?: readonly string[] | undefined;
  /**
   * The path shown in the format `markdown`, which a tool must be able to read. Defaults to `skills/<name>/SKILL.md`.
   */
  readonly skillFile?: ((skill: CatalogSkill) => string) | undefined;
  /**
   * Names of the tools that the model actually has; the guidance mentions no other. Defaults to the five `skill_*`
   * tools.
   */
  readonly tools?: readonly string[] | undefined;
  /**
   * Where bodies of loaded skills are placed. `tool-results` (default) adds nothing, so that the system text stays
   * unchanged and provider caches keep hitting; `system` adds the `bodies` of the skills that are loaded according to
   * the state.
   */
  readonly loadedBodies?: "tool-results" | "system" | undefined;
  /** Replaces or removes texts of the injector. Defaults to its own. */
  readonly texts?: InjectorTexts | undefined;
}

export interface ResolvedOptions {
  readonly format: OverviewFormat | OverviewRenderer;
  readonly maxCharacters: number;
  readonly maxTokens: number | undefined;
  readonly maxSkills: number;
  readonly metadata: readonly string[];
  readonly skillFile: (skill: CatalogSkill) => string;
  readonly tools: ReadonlySet<string>;
  readonly loadedBodies: "tool-results" | "system";
  /** The text in force in the place of the injector's own. */
  readonly text: (name: keyof InjectorTexts, own: string) => string;
  /** True where a list with this text is within the budget. */
  readonly fits: (text: string) => boolean;
}

const SKILL_TOOLS = ["skill_list", "skill_load", "skill_select_docs", "skill_list_docs", "skill_run"];

/** Applies the defaults. @throws SkillError `CONFIG_INVALID` naming the field. */
export function resolvedOptions(options: InjectorOptions): ResolvedOptions {
  const { format = "xml", maxTokens, countTokens, maxSkills = 32, tools = SKILL_TOOLS } = options;
  const { loadedBodies = "tool-results", metadata = [], skillFile = stagedFile } = options;
  const { maxCharacters = maxTokens === undefined ? 4000 : Number.POSITIVE_INFINITY } = options;
  if (typeof format === "string" ? !FORMATS.includes(format) : typeof format?.entry !== "function")
    throw invalid(
      "format",
      format,
      'one of "xml", "markdown", "names", or a renderer with open, close and entry',
    );
  if (maxCharacters !== Number.POSITIVE_INFINITY) checkCount("maxCharacters", maxCharacters);
  checkCount("maxSkills", maxSkills);
  if (maxTokens !== undefined) {
    checkCount("maxTokens", maxTokens);
    if (typeof countTokens !== "function")
      throw invalid(
        "countTokens",
        countTokens,
        "a function that counts the tokens of a text, with `maxTokens`",
      );
  }
  if (!["tool-results", "system"].includes(loadedBodies))
    throw invalid("loadedBodies", loadedBodies, '"tool-results" or "system"');
  const texts: InjectorTexts = options.texts ?? {};
  for (const [name, given] of Object.entries(texts))
    if (!TEXTS.includes(name) || !["string", "function", "undefined"].includes(typeof given))
      throw invalid(`texts.${name}`, given, `a text or a function of the text, for ${TEXTS.join(", ")}`);
  const text = (name: keyof InjectorTexts, own: string): string => {
    const given = texts[name];
    return typeof given === "function" ? given(own) : (given ?? own);
  };
  const fits = (text: string): boolean =>
    text.length <= maxCharacters && (maxTokens === undefined || (countTokens?.(text) ?? 0) <= maxTokens);
  return {
    ...{ format, maxCharacters, maxTokens, maxSkills, metadata, skillFile, loadedBodies, text, fits },
    tools: new Set(tools),
  };
}

const TEXTS: readonly string[] = ["heading", "guidance", "triggered", "putBack"];
const FORMATS: readonly string[] = ["xml", "markdown", "names"];

function stagedFile({ name }: CatalogSkill): string {
  return `skills/${name}/SKILL.md`;
}

function checkCount(field: string, given: unknown): void {
  if (!Number.isInteger(given) || Number(given) < 1) throw invalid(field, given, "a whole number from 1");
}

function invalid(field: string, given: unknown, valid: string): SkillError {
  const shown = typeof given === "function" ? "a function" : JSON.stringify(given);
  return new SkillError("CONFIG_INVALID", `injector: \`${field}\` is ${shown}; give ${valid}.`, {
    details: { field },
  });
}
