import { SkillError, type WritableSkillRepository } from "@skillwright/core";
import type { NamedSource } from "./named-sources.js";

/** @throws SkillError `INPUT_INVALID` for an unknown name, with those there are. */
export function sourceNamed(sources: readonly NamedSource[], name: string): NamedSource {
  const found = sources.find(({ source }) => source === name);
  if (found) return found;
  const valid = sources.map(({ source }) => `"${source}"`).join(", ");
  throw new SkillError(
    "INPUT_INVALID",
    `There is no skill source "${name}". ${valid ? `Choose ${valid}.` : "This catalogue has none."}`,
  );
}

/** @throws SkillError as `sourceNamed`; `UNSUPPORTED` where the repository lacks the method. */
export function writableSource(
  sources: readonly NamedSource[],
  name: string,
  method: "upload" | "delete",
): WritableSkillRepository {
  const repository = sourceNamed(sources, name).repository as WritableSkillRepository;
  if (typeof repository[method] === "function") return repository;
  throw new SkillError(
    "UNSUPPORTED",
    `"${name}" (${repository.label}) is read-only. Change its skills where they are kept.`,
  );
}
