import { type Diagnostic, Secret, SkillError, type SkillFields, skillFields } from "@skillwright/core";
import { checkEnvironmentVariable } from "@skillwright/core/adapter";
import type { HostFacts } from "./host-facts.js";
import { type JudgedSkill, type SkillSettings, settingOf } from "./skill-settings.js";

/** The variables and configuration that a skill's runs receive. */
export interface SkillVariables {
  readonly variables: Readonly<Record<string, string | Secret>>;
  /** One for each variable that is left out: `variable.blocked`, `variable.undeclared`, `variable.untrusted`. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Computes the variables for runs of one skill. Where a variable has several values, the first of these wins: the
 * host's (where the settings pass it and the skill declares it), then `env`, then `apiKey`. A variable whose name looks
 * like a secret must be declared by the skill, and is passed as a `Secret`. An untrusted skill gets nothing. Pure: no
 * environment is read or changed.
 */
export function skillVariables(
  skill: JudgedSkill,
  settings: SkillSettings,
  host: Pick<HostFacts, "variable">,
): SkillVariables {
  const fields = skillFields(skill.frontmatter);
  const declared = declaredVariables(fields);
  const wanted = wantedVariables(skill, fields, settings, host, declared);
  const diagnostics: Diagnostic[] = [];
  const kept = new Map<string, string | Secret>();
  if (skill.trusted === false) {
    if (wanted.size > 0) diagnostics.push(untrusted(skill.name, [...wanted.keys()]));
    return { variables: {}, diagnostics };
  }
  for (const [name, value] of wanted) {
    const problem = blockedBecause(name, value);
    if (problem !== undefined) diagnostics.push(blocked(name, skill.name, problem));
    else if (isSensitiveName(name) && !declared.has(name)) diagnostics.push(undeclared(name, skill.name));
    else kept.set(name, isSensitiveName(name) && typeof value === "string" ? new Secret(value) : value);
  }
  return { variables: Object.fromEntries(kept), diagnostics };
}

/** Every variable that the skill's header mentions, required or not. */
function declaredVariables({ openclaw }: SkillFields): ReadonlySet<string> {
  if (!openclaw) return new Set();
  const { env, anyEnv, envVars, primaryEnv } = openclaw;
  return new Set([
    ...env,
    ...anyEnv,
    ...envVars.map(({ name }) => name),
    ...(primaryEnv === undefined ? [] : [primaryEnv]),
  ]);
}

function wantedVariables(
  skill: JudgedSkill,
  fields: SkillFields,
  settings: SkillSettings,
  host: Pick<HostFacts, "variable">,
  declared: ReadonlySet<string>,
): ReadonlyMap<string, string | Secret> {
  const { env = {}, apiKey, config } = settingOf(skill, fields, settings);
  const primary = fields.openclaw?.primaryEnv;
  const wanted = new Map<string, string | Secret>();
  if (config !== undefined) wanted.set("SKILL_CONFIG", JSON.stringify(config));
  if (apiKey !== undefined && primary !== undefined) wanted.set(primary, apiKey);
  for (const [name, value] of Object.entries(env)) wanted.set(name, value);
  for (const name of settings.passVariables ?? []) {
    const value = declared.has(name) ? host.variable(name) : undefined;
    if (value !== undefined && value !== "") wanted.set(name, value);
  }
  return wanted;
}

/**
 * Refused in addition to the variables that no run may set: these decide which programs are found and where the run's
 * home is.
 */
const PLACES = new Set(["PATH", "HOME", "SHELL", "TMPDIR"]);

function blockedBecause(name: string, value: string | Secret): string | undefined {
  if (PLACES.has(name)) return "it controls which programs are found or which directory is HOME";
  const text = typeof value === "string" ? value : value.reveal();
  if (text.trim() === "") return "it is blank";
  try {
    checkEnvironmentVariable(name, text);
    return undefined;
  } catch (error) {
    return SkillError.from(error, "Checking a variable").message;
  }
}

function blocked(name: string, skill: string, why: string): Diagnostic {
  return {
    code: "variable.blocked",
    severity: "warning",
    message: `The variable ${shown(name)} is not passed to the skill "${skill}": ${why}`,
    hint: "Remove it from the skill's `env` in the configuration.",
  };
}

function undeclared(name: string, skill: string): Diagnostic {
  return {
    code: "variable.undeclared",
    severity: "warning",
    message: `The variable ${shown(name)} looks like a secret and is not passed to the skill "${skill}", which does not declare it.`,
    hint: "Declare it in the skill under requires.env, envVars or primaryEnv, or rename the variable.",
  };
}

function untrusted(skill: string, names: readonly string[]): Diagnostic {
  return {
    code: "variable.untrusted",
    severity: "warning",
    message: `The variables configured for the skill "${skill}" (${names.map(shown).join(", ")}) are not passed to it, because it is not trusted.`,
    hint: "Review the skill, and approve it or move it to a trusted source.",
  };
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 80));
}

const SENSITIVE =
  /(^|_)(API_?KEY|KEYS?|TOKENS?|SECRETS?|PASS(WORD|WD|PHRASE)?|PWD|CREDENTIALS?|AUTH|COOKIE|PRIVATE|DSN)(_|$)|APIKEY/i;

/** True where a variable's name suggests that its value is a secret. */
function isSensitiveName(name: string): boolean {
  return SENSITIVE.test(name);
}
