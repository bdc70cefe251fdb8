import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SKILL_LINKS, type StagedSkill } from "@skillwright/core/adapter";
import { temporaryDirectory } from "./local-subject.js";

/** A skill in a directory like that of a content store, including links, readable by everybody. */
export async function skillDirectory(): Promise<{
  path: string;
  text: string;
  staged: StagedSkill;
  remove: () => Promise<void>;
}> {
  const { path, remove } = await temporaryDirectory();
  const text = "---\nname: demo\ndescription: For tests.\n---\n";
  await mkdir(join(path, "scripts"));
  await writeFile(join(path, "SKILL.md"), text);
  await writeFile(join(path, "scripts/run.sh"), "#!/bin/sh\necho ran\n", { mode: 0o755 });
  for (const [name, target] of Object.entries(SKILL_LINKS)) await symlink(target, join(path, name));
  await chmod(path, 0o755);
  const files = (): never => {
    throw new Error("The files were asked for, though there is a directory.");
  };
  return { path, text, staged: { name: "demo", digest: "sha256:1", directory: path, files }, remove };
}
