import type { ByteSource } from "../byte-stream.js";
import type { SkillReader } from "./skill-repository.js";

/**
 * A reader that is asked for when the first file is, or where files lie: whoever turns out to need none costs nothing.
 * @param ask Called once, unless there is no reader; then each file is opened by itself.
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
