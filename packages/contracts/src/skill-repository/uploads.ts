import type { ByteStream, SkillRepository, UploadFile } from "@skillwright/core";
import { skillMarkdown } from "../seeds.js";

/** The files of a small valid skill, plus additions or replacements. */
export function upload(
  name: string,
  files: Readonly<Record<string, UploadFile["content"]>> = {},
): UploadFile[] {
  const all = { "SKILL.md": skillMarkdown(name), ...files };
  return Object.entries(all).map(([path, content]) => ({ path, content }));
}

/** Names and change marks, to check that nothing changed. */
export async function stateOf(repository: SkillRepository): Promise<unknown> {
  const { skills, broken } = await repository.list();
  const digests = await Promise.all(skills.map(async ({ path }) => (await repository.load(path)).digest));
  return [skills.map(({ name, path, changeMark }) => [name, path, changeMark]), digests, broken];
}

/** Yields one piece and then waits forever; `stalled` resolves at that point. */
export function stallingContent(): { content: ByteStream; stalled: Promise<void> } {
  let tell: () => void = () => undefined;
  const stalled = new Promise<void>((resolve) => {
    tell = resolve;
  });
  return { content: pieces(), stalled };

  async function* pieces(): ByteStream {
    yield new Uint8Array(10);
    tell();
    await new Promise(() => undefined);
  }
}
