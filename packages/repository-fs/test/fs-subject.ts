import { chmod, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { SeedFile, SkillSeed } from "@skillwright/contracts";
import { removeTree } from "../src/files/remove-tree.js";

/** A new directory, and a function that removes it. */
export async function temporaryDirectory(): Promise<{ root: string; dispose: () => Promise<void> }> {
  const root = await mkdtemp(join(tmpdir(), "skillwright-test-"));
  return { root, dispose: async () => await removeTree(root) };
}

/** Writes skills file by file, as a person would. */
export async function writeSkills(root: string, skills: SkillSeed): Promise<void> {
  for (const [path, files] of Object.entries(skills))
    for (const [file, content] of Object.entries(files)) await writeSeedFile(join(root, path, file), content);
}

async function writeSeedFile(path: string, file: SeedFile): Promise<void> {
  const { content, executable = false } =
    typeof file === "string" || file instanceof Uint8Array ? { content: file } : file;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  await chmod(path, executable ? 0o755 : 0o644);
}
