import { SkillError, type SkillRepository } from "@skillwright/core";
import { fsRepository } from "@skillwright/repository-fs";
import { type OpenSourceOptions, openSkillSource } from "../sources/open-skill-source.js";
import type { SkillPlace } from "./skill-place.js";

/**
 * Opens the repository of an existing place. If one that the configuration names cannot be opened, each call of it
 * fails instead, so that a catalogue reports it and still has the skills of the others.
 * @throws SkillError as `openSkillSource`, for a place given by flag or variable.
 */
export async function openPlace(
  { kind, root, remote }: SkillPlace,
  options: Pick<OpenSourceOptions, "cwd" | "clients">,
): Promise<SkillRepository> {
  if (remote === undefined) return fsRepository({ root });
  try {
    return await openSkillSource(remote, options);
  } catch (error) {
    if (kind !== "repository") throw error;
    return failingRepository(root, SkillError.from(error, `Opening ${root}`));
  }
}

function failingRepository(label: string, error: SkillError): SkillRepository {
  const fail = () => Promise.reject(error);
  const close = () => Promise.resolve();
  return { label, list: fail, load: fail, open: fail, refresh: fail, close, [Symbol.asyncDispose]: close };
}
