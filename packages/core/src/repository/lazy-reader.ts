import type { ByteSource } from "../byte-stream.js";
import type { SkillReader } from "./skill-repository.js";

/**
 * A reader that is created on the first request for a file or for file locations. A caller that needs no file causes no
 * work.
 * @param ask Called once if it returns a reader. Without a reader, `open` is called for each file.
 */
export function lazyReader(
  ask: () => Promise<SkillReader> | undefined,
  open: (path: string) => Promise<ByteSource>,
): SkillReader {
  let asked: Promise<SkillReader> | undefined;
  const reader = (): Promise<SkillReader> | undefined => {
    asked ??= ask();
    return asked;
  };
  const read = async (path: string): Promise<ByteSource> =>
    (await (await reader())?.(path)) ?? (await open(path));
  const locations = async (): Promise<ReadonlyMap<string, string>> =>
    (await (await reader())?.locations?.()) ?? new Map();
  return Object.assign(read, { locations });
}
