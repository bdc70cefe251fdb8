import type { LoadedConfiguration, SkillPlace } from "@skillwright/config";
import type { Finding } from "./finding.js";

/** Reports which configuration files were read, whether they are trusted, and what was ignored. */
export function checkConfiguration(
  { files, diagnostics, configuration }: LoadedConfiguration,
  places: readonly SkillPlace[],
): readonly Finding[] {
  const check = "configuration";
  const read = files.map(({ path, place, trusted }): Finding => {
    const how = trusted ? "" : "; it came with the project, so only harmless settings are used";
    return { check, state: "ok", message: `${path} (${place})${how}` };
  });
  const told = diagnostics.map(
    ({ message, hint }): Finding => ({ check, state: "limited", message, remedy: hint }),
  );
  const { enabled, settings } = configuration.skills;
  const hasBundled = places.some(({ kind }) => kind === "bundled");
  return [
    ...read,
    ...told,
    ...(enabled ? [] : [switchedOff(check)]),
    ...(settings.allowBundled && !hasBundled ? [nothingBundled(check)] : []),
  ];
}

function nothingBundled(check: string): Finding {
  const message =
    "`skills.allow_bundled` has no effect here: this command has no bundled skills, unlike an agent";
  return { check, state: "ok", message };
}

function switchedOff(check: string): Finding {
  return {
    check,
    state: "limited",
    message: "skills are disabled: agents neither show nor offer any",
    remedy: "Set skills.enabled to true, or unset SKILLWRIGHT_SKILLS_ENABLED.",
  };
}
