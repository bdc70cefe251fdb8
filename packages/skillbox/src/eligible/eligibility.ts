import { type JsonObject, type JsonValue, type SkillFields, skillFields } from "@skillwright/core";
import type { HostFacts } from "./host-facts.js";
import { type JudgedSkill, type SkillSettings, settingOf } from "./skill-settings.js";
import { skillVariables } from "./skill-variables.js";

/** One reason why a skill is not offered. */
export interface IneligibilityReason {
  readonly kind:
    | "disabled"
    | "not-allowed"
    | "system"
    | "program"
    | "any-program"
    | "variable"
    | "any-variable"
    | "setting";
  /** What is missing: programs, variables, configuration paths, or the supported systems. */
  readonly names: readonly string[];
}

export interface Eligibility {
  readonly eligible: boolean;
  /** All reasons; empty exactly where the skill is eligible. */
  readonly reasons: readonly IneligibilityReason[];
}

/**
 * Decides whether a skill can be offered where commands run. Pure. A skill that is switched off, or bundled and not on
 * the list of bundled ones, gets that reason and no other. The operating system is checked next, also for a skill with
 * `always`. Everything else is checked only for skills without `always`: programs (all, any), variables (all, any),
 * settings. A variable counts as present where the skill's runs get it (see `skillVariables`), or will get it once the
 * skill is approved.
 */
export function eligibility(skill: JudgedSkill, host: HostFacts, settings: SkillSettings = {}): Eligibility {
  const fields = skillFields(skill.frontmatter);
  const refusal = refusedBySettings(skill, fields, settings);
  const reasons = refusal ? [refusal] : missing(skill, fields, host, settings);
  return { eligible: reasons.length === 0, reasons };
}

/** Programs that `eligibility` will ask the host for, so that all can be looked up at once. */
export function neededPrograms(frontmatter: JsonObject): readonly string[] {
  const fields = skillFields(frontmatter);
  const { bins = [], anyBins = [], always = false } = fields.openclaw ?? {};
  const named = [...bins, ...anyBins, ...compatibilityPrograms(fields)];
  const standIns = named.flatMap((program) => STAND_INS.get(program) ?? []);
  return always ? [] : [...new Set([...named, ...standIns])];
}

/** Runtimes start the one where a command asks for the other and it is missing. */
const STAND_INS: ReadonlyMap<string, string> = new Map([["python", "python3"]]);

function refusedBySettings(
  skill: JudgedSkill,
  fields: SkillFields,
  settings: SkillSettings,
): IneligibilityReason | undefined {
  const { bundledSources = [], allowBundled } = settings;
  if (settingOf(skill, fields, settings).enabled === false) return { kind: "disabled", names: [skill.name] };
  const isBundled = skill.source !== undefined && bundledSources.includes(skill.source);
  if (!isBundled || allowBundled === undefined) return undefined;
  const names = [skill.name, fields.openclaw?.skillKey];
  return names.some((name) => name !== undefined && allowBundled.includes(name))
    ? undefined
    : { kind: "not-allowed", names: [skill.name] };
}

function missing(
  skill: JudgedSkill,
  fields: SkillFields,
  host: HostFacts,
  settings: SkillSettings,
): IneligibilityReason[] {
  const { openclaw } = fields;
  const os = openclaw?.os ?? [];
  const system = os.length === 0 || os.some((one) => host.systems.includes(one)) ? [] : os;
  if (openclaw?.always) return told("system", system);
  const isAbsent = (program: string) => host.hasProgram(program) === false;
  const isMissing = (program: string) => isAbsent(program) && isAbsent(STAND_INS.get(program) ?? program);
  const bins = [...new Set([...(openclaw?.bins ?? []), ...compatibilityPrograms(fields)])];
  const { env = [], anyEnv = [], envVars = [], anyBins = [], config = [] } = openclaw ?? {};
  const required = [...env, ...envVars.filter((one) => one.required).map(({ name }) => name)];
  const needsVariables = required.length + anyEnv.length > 0;
  // For a skill that is not trusted yet: tells variables that an approval would provide from those that nothing
  // provides.
  const approved = { ...skill, trusted: true };
  const given = needsVariables ? skillVariables(approved, settings, host).variables : {};
  const isUnset = (name: string) => !Object.hasOwn(given, name);
  const own = settingOf(skill, fields, settings).config;
  return [
    ...told("system", system),
    ...told("program", bins.filter(isMissing)),
    ...told("any-program", anyBins.every(isMissing) ? anyBins : []),
    ...told("variable", [...new Set(required)].filter(isUnset)),
    ...told("any-variable", anyEnv.every(isUnset) ? anyEnv : []),
    ...told(
      "setting",
      config.filter((path) => !isOn(path, [own, settings.values])),
    ),
  ];
}

function told(kind: IneligibilityReason["kind"], names: readonly string[]): IneligibilityReason[] {
  return names.length === 0 ? [] : [{ kind, names }];
}

/**
 * On unless switched off explicitly: without this default, OpenClaw skills that use the browser would not be offered.
 */
const ON_BY_DEFAULT = new Set(["browser.enabled", "browser.evaluateEnabled"]);

function isOn(path: string, places: readonly (JsonObject | undefined)[]): boolean {
  const found = places
    .map((place) => place && valueAt(place, path.split(".")))
    .find((one) => one !== undefined);
  return found === undefined ? ON_BY_DEFAULT.has(path) : Boolean(found);
}

function valueAt(whole: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = whole;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as JsonObject)[part];
  }
  return value;
}

/** Programs that can be recognised reliably in the free text of `compatibility`. */
const SPOKEN_OF: readonly { readonly text: RegExp; readonly program: string }[] = [
  { text: /\bpython ?3?\b/i, program: "python3" },
];

/**
 * Programs that the skill's `compatibility` mentions. Only Python is recognised, since other names have many meanings
 * in such text.
 */
function compatibilityPrograms({ compatibility = "" }: SkillFields): readonly string[] {
  return SPOKEN_OF.filter(({ text }) => text.test(compatibility)).map(({ program }) => program);
}
