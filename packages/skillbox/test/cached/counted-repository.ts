import {
  byteStream,
  SkillError,
  type SkillReader,
  type SkillRepository,
  type SkillSummary,
  type WritableSkillRepository,
} from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";

export interface CountedRepository {
  readonly repository: WritableSkillRepository;
  /** The calls since the last time. */
  asks(): string[];
  /** Makes every call fail like a network failure. */
  fail(isDown: boolean): void;
}

export interface CountedOptions {
  /** Whether listings contain digests. Defaults to true. */
  readonly tellsDigests?: boolean;
  /** Makes this version loadable too. */
  readonly version?: string;
}

/** Skills in memory that record the calls. */
export function countedRepository(
  skills: Readonly<Record<string, Readonly<Record<string, string>>>>,
  { tellsDigests = true, version: kept }: CountedOptions = {},
): CountedRepository {
  const memory = memoryRepository({ skills });
  // Calls are counted through listings.
  const { find: _, ...listed } = memory;
  const asked: string[] = [];
  let isDown = false;

  function ask(what: string): void {
    asked.push(what);
    if (isDown) throw new SkillError("BACKEND_FAILED", "The bucket is down.");
  }

  const list: SkillRepository["list"] = async (options) => {
    ask("list");
    const listing = await memory.list(options);
    return tellsDigests ? listing : { ...listing, skills: listing.skills.map(withoutDigest) };
  };
  const load: SkillRepository["load"] = async (name, { version, signal } = {}) => {
    ask(`load ${name}`);
    const skill = await memory.load(name, { signal, version: version === kept ? undefined : version });
    return skill;
  };
  const open: SkillRepository["open"] = async (name, path, { version, signal } = {}) => {
    ask(`open ${path}`);
    return await memory.open(name, path, { signal, version: version === kept ? undefined : version });
  };
  const reader: SkillRepository["reader"] = async (name, { version, signal } = {}) => {
    ask(`reader ${name}`);
    const read = await memory.reader?.(name, { signal, version: version === kept ? undefined : version });
    const counting: SkillReader = async (path) => {
      ask(`read ${path}`);
      return (await read?.(path)) ?? byteStream("");
    };
    return counting;
  };

  return {
    repository: { ...listed, list, load, open, reader },
    asks: () => asked.splice(0),
    fail: (isFailing) => {
      isDown = isFailing;
    },
  };
}

function withoutDigest({ digest, ...summary }: SkillSummary): SkillSummary {
  return summary;
}
