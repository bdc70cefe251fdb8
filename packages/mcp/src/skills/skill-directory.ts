import type { Skill } from "@skillwright/core";
import { skillUri } from "./skill-uri.js";

interface Child {
  readonly uri: string;
  readonly name: string;
  readonly mimeType?: string;
  readonly size?: number;
}

/** The direct children of a folder of the skill; `undefined` where there is no such folder. */
export function directoryOf({ name, manifest }: Skill, folder: string): { resources: Child[] } | undefined {
  const prefix = folder === "" ? "" : `${folder}/`;
  const children = new Map<string, Child>();
  for (const { path, size } of manifest.files) {
    if (!path.startsWith(prefix)) continue;
    const [child = "", ...below] = path.slice(prefix.length).split("/");
    const uri = skillUri(name, `${prefix}${child}`);
    if (below.length === 0) children.set(child, { uri, name: child, size });
    else children.set(child, { uri, name: child, mimeType: "inode/directory" });
  }
  return children.size === 0 ? undefined : { resources: [...children.values()] };
}
