import type { Skill } from "@skillwright/core";

/** What a registry tells of a skill beside its files. */
export interface SkillMark {
  readonly path: string;
  readonly changeMark: string;
  /** Digest over all files, which both sides verify. */
  readonly digest: string;
  readonly version?: string;
}

/** The header with the mark as JSON, in percent encoding because paths may have any letters. */
export const MARK_HEADER = "skillwright-skill";

export function skillMark({ path, changeMark, digest, version }: Skill): SkillMark {
  return { path, changeMark, digest, ...(version !== undefined && { version }) };
}

export function markText(mark: SkillMark): string {
  return encodeURIComponent(JSON.stringify(mark));
}

/** `undefined` for anything that is no mark. */
export function readMark(text: string): SkillMark | undefined {
  try {
    const { path, changeMark, digest, version } = JSON.parse(decodeURIComponent(text));
    const areTexts = [path, changeMark, digest, version ?? ""].every((one) => typeof one === "string");
    return areTexts ? { path, changeMark, digest, ...(version !== undefined && { version }) } : undefined;
  } catch {
    return undefined;
  }
}
