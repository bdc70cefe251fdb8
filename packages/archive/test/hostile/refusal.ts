import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";
import { expect } from "vitest";
import { unpackArchive } from "../../src/index.js";
import type { HostileCase } from "./hostile-case.js";

/** Unpacks into a directory with others. All of them must stay unchanged, and the error must match the case. */
export async function expectRefusal({ bytes, code, says }: HostileCase): Promise<void> {
  const outside = await mkdtemp(join(tmpdir(), "skillwright-archive-"));
  try {
    const skills = join(outside, "home", "skills");
    await mkdir(join(skills, "other"), { recursive: true });
    await writeFile(join(outside, "canary"), "outside");
    await writeFile(join(skills, "other", "SKILL.md"), "inside");
    const before = await everything(outside);
    const error = await unpackArchive(bytes(), { directory: skills }).catch((reason: unknown) => reason);
    if (!SkillError.is(error))
      throw new Error("It was unpacked, or failed with a raw error.", { cause: error });
    expect({ code: error.code, message: error.message }).toEqual({ code, message: expect.any(String) });
    for (const words of says) expect(error.message).toContain(words);
    expect(await everything(outside)).toEqual(before);
  } finally {
    await rm(outside, { recursive: true });
  }
}

/** Every path below a directory, with the content of files. */
async function everything(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return [path, entry.isFile() ? await readFile(path, "utf8") : "folder"] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}
