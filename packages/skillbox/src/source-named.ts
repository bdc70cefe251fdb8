import { type RestorableSkillRepository, SkillError, type SkillRepository } from "@skillwright/core";
import type { NamedSource } from "./named-sources.js";

/** @throws SkillError `INPUT_INVALID` for an unknown name, listing the known ones. */
export function sourceNamed(sources: readonly NamedSource[], name: string): NamedSource {
  const found = sources.find(({ source }) => source === name);
  if (found) return found;
  const valid = sources.map(({ source }) => `"${source}"`).join(", ");
  throw new SkillError(
    "INPUT_INVALID",
    `There is no skill source "${name}". ${valid ? `Choose ${valid}.` : "This catalogue has no such sources."}`,
  );
}

/** Returns the repository if it has the method. @throws SkillError `UNSUPPORTED`. */
export function repositoryWith<Method extends "upload" | "delete">(
  { source, repository }: NamedSource,
  method: Method,
): Pick<RestorableSkillRepository, Method> & SkillRepository {
  const able = repository as Pick<RestorableSkillRepository, Method> & SkillRepository;
  if (typeof able[method] === "function") return able;
  throw new SkillError(
    "UNSUPPORTED",
    `The source "${source}" (${repository.label}) is read-only. Change its skills where they are stored.`,
  );
}
