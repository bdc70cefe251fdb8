import type { Diagnostic } from "@skillwright/core";
import { skillFields } from "@skillwright/core";
import type { Eligibility, IneligibilityReason } from "./eligibility.js";
import type { HostFacts } from "./host-facts.js";
import { installCommands } from "./install-commands.js";
import type { JudgedSkill } from "./skill-settings.js";

/**
 * Reports why the skill is left out and what to do about it, including the install commands that it declares for a
 * person to read.
 * @param host Where commands run. Install commands are those for its first system.
 */
export function ineligibleDiagnostic(
  skill: JudgedSkill,
  { reasons }: Eligibility,
  { systems: [system = ""], programsIn }: Pick<HostFacts, "systems" | "programsIn">,
): Diagnostic {
  const { openclaw } = skillFields(skill.frontmatter);
  const lacksProgram = reasons.some(({ kind }) => kind === "program" || kind === "any-program");
  const commands = lacksProgram && openclaw && !programsIn ? installCommands(openclaw, system) : [];
  const chosen = reasons.every(({ kind }) => kind === "disabled" || kind === "not-allowed");
  return {
    code: "skill.ineligible",
    severity: chosen ? "info" : "warning",
    message: `The skill "${skill.name}" is left out: ${reasons.map((reason) => told(reason, programsIn?.place)).join("; ")}.`,
    hint: [
      ...new Set(reasons.map((reason) => remedy(reason, programsIn?.remedy))),
      ...(commands.length > 0 ? [`The skill says how: ${commands.join(" or ")}.`] : []),
    ].join(" "),
  };
}

function told({ kind, names }: IneligibilityReason, place: string | undefined): string {
  switch (kind) {
    case "disabled":
      return "it is disabled in the configuration";
    case "not-allowed":
      return "it is bundled and not listed in `allow_bundled`";
    case "system":
      return `it is made for ${names.join(", ")}`;
    case "program":
      return `it needs ${quoted(names, "and")}, which ${place ? `${place} lacks` : "commands do not find"}`;
    case "any-program":
      return `it needs one of ${quoted(names, "or")}, and ${place ? `${place} has` : "commands find"} none of them`;
    case "variable":
      return `it needs the variable ${quoted(names, "and")}, which its runs do not receive`;
    case "any-variable":
      return `it needs one of the variables ${quoted(names, "or")}, but its runs receive none of them`;
    case "setting":
      return `it needs ${quoted(names, "and")} to be enabled in the configuration`;
  }
}

function remedy(
  { kind }: IneligibilityReason,
  forPrograms = "Install it, so that it is on the PATH.",
): string {
  switch (kind) {
    case "disabled":
      return "Set `enabled` to true to use it.";
    case "not-allowed":
      return "Add it to `allow_bundled` to use it.";
    case "system":
      return "Use another skill, or run commands on such a system.";
    case "program":
    case "any-program":
      return forPrograms;
    case "variable":
    case "any-variable":
      return "Set it in the skill's `env` or `api_key` in the configuration, or pass the host's variable with `pass_env`.";
    case "setting":
      return "Enable it in the skill's `config`.";
  }
}

function quoted(names: readonly string[], last: string): string {
  const all = names.map((name) => JSON.stringify(name.slice(0, 80)));
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} ${last} ${all.at(-1)}`;
}
