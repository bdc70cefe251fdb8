import { skillMarkdown } from "@skillwright/contracts";
import type { ArtifactScope, UploadFile } from "@skillwright/core";

export const SCOPE: ArtifactScope = { app: "test", user: "ada", session: "one" };

/** The files of a small valid skill, plus others. */
export function skill(
  name: string,
  files: Readonly<Record<string, UploadFile["content"]>> = {},
): UploadFile[] {
  const all = { "SKILL.md": skillMarkdown(name), ...files };
  return Object.entries(all).map(([path, content]) => ({ path, content }));
}
