import { dirname } from "node:path";
import type { Diagnostic } from "@skillwright/core";
import type { ConfigurationFile, ConfiguredSkill } from "./configuration-file.js";
import { harmlessRepositories } from "./harmless-repositories.js";

/**
 * The part of a file from a project that is not trusted that may be used: nothing that affects a skill's runs (a
 * setting could send a user's key to another address), no source outside the project, and no influence on what is
 * trusted.
 */
export function harmlessPart(
  file: ConfigurationFile,
  path: string,
  tell: (diagnostic: Diagnostic) => void,
): ConfigurationFile {
  const { trusted_projects, agent, stores, ...rest } = file;
  if (trusted_projects) tell(ignored(path, "trusted_projects"));
  if (agent) tell(ignored(path, "agent"));
  if (stores) tell(ignored(path, "stores"));
  if (!rest.skills) return rest;
  const { pass_env, values, entries, repositories, link_roots, ...skills } = rest.skills;
  if (pass_env) tell(ignored(path, "skills.pass_env"));
  if (link_roots) tell(ignored(path, "skills.link_roots"));
  if (values) tell(ignored(path, "skills.values"));
  const kept = Object.entries(entries ?? {}).map(([key, entry]) => [key, harmlessEntry(key, entry)]);
  const near =
    repositories &&
    harmlessRepositories(repositories, dirname(path), (field, why) => tell(ignored(path, field, why)));
  return {
    ...rest,
    skills: {
      ...skills,
      ...(near && { repositories: near }),
      ...(entries && { entries: Object.fromEntries(kept) }),
    },
  };

  function harmlessEntry(key: string, entry: ConfiguredSkill): ConfiguredSkill {
    for (const field of ["env", "api_key", "config"] as const)
      if (entry[field] !== undefined) tell(ignored(path, `skills.entries.${key}.${field}`));
    return entry.enabled === undefined ? {} : { enabled: entry.enabled };
  }
}

function ignored(path: string, field: string, why?: string): Diagnostic {
  return {
    code: "configuration.untrusted",
    severity: "warning",
    message: `\`${field}\` of ${path} is ignored: ${why === undefined ? "" : `${why}, and `}the file came with a project that is not trusted.`,
    hint: "Set it in ~/.skillwright/skillwright.config.json, or add the project's folder to `trusted_projects` there.",
  };
}
