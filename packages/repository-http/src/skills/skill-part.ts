import { type Diagnostic, SkillError, type SkillSummary, sharedWork } from "@skillwright/core";
import { type Fetching, fetchedFiles } from "../payload/fetched-files.js";
import type { SkillSource } from "../payload/skill-source.js";
import { type FoundSkill, filesDigest, foundSkills, isUsable, summaryOf } from "./found-skills.js";
import { stale, unfetched } from "./http-diagnostics.js";
import type { KeptContents, SourceContent } from "./kept-contents.js";

/** What is known of a source without its files. */
interface ListedPart {
  readonly skills: readonly FoundSkill<SkillSummary>[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A source with what came of it. It is fetched when first asked for, and again when its files were forgotten. */
export interface SkillPart {
  readonly source: SkillSource;
  /** A source that cannot be fetched is a broken skill, and told; only `ABORTED` and `CLOSED` are thrown. */
  list(signal: AbortSignal | undefined): Promise<ListedPart>;
  /** Asks again where the last try failed. @throws SkillError why it cannot be had. */
  content(signal: AbortSignal | undefined): Promise<SourceContent>;
  /** What is in memory, for a newer part of the same source to compare with. */
  kept(): SourceContent | undefined;
  /** The part that gave files last: this one, the one it stands in for, or none. */
  settled(): SkillPart | undefined;
  /** False after a failure. */
  isSound(): boolean;
}

export interface PartOptions {
  readonly fetching: Fetching;
  readonly contents: KeptContents;
  /** The same source before a refresh. */
  readonly before: SkillPart | undefined;
  /** Where it has been fetched already. */
  readonly initial?: SourceContent | undefined;
}

export function skillPart(source: SkillSource, options: PartOptions): SkillPart {
  const { fetching, contents, initial } = options;
  const key = {};
  let digest: string | undefined;
  let listed: ListedPart | undefined;
  let before = options.before;
  let standIn: SkillPart | undefined;
  let hasFailed = false;
  if (initial) settle(initial);

  const take = sharedWork(async (signal) => {
    const earlier = contents.get(key) ?? before?.kept();
    const content = sourceContent(
      source.path,
      await fetchedFiles(source, earlier?.fetched, fetching, signal),
    );
    if (digest !== undefined && digest !== content.digest) throw changed(source.path, digest, content.digest);
    return settle(content);
  });

  async function list(signal: AbortSignal | undefined): Promise<ListedPart> {
    if (listed) return listed;
    try {
      await content(signal);
    } catch (error) {
      if (!listed) throw error;
    }
    return listed ?? { skills: [], diagnostics: [] };
  }

  async function content(signal: AbortSignal | undefined): Promise<SourceContent> {
    const known = contents.get(key);
    if (known) return known;
    if (standIn) return await standIn.content(signal);
    try {
      return await take(signal);
    } catch (error) {
      const reason = SkillError.from(error, `Fetching "${source.path}"`);
      // What was fetched once is known, though its files cannot be had just now.
      if (digest !== undefined || reason.code === "ABORTED" || reason.code === "CLOSED") throw reason;
      return await fail(reason, signal);
    }
  }

  function settle(content: SourceContent): SourceContent {
    // What was before is let go, or every refresh would lengthen a chain.
    [digest, hasFailed, standIn, before] = [content.digest, false, undefined, undefined];
    contents.put(key, content);
    const skills = content.skills.map(({ inner, skill }) => ({
      inner,
      skill: isUsable(skill) ? summaryOf(skill) : skill,
    }));
    listed = { skills, diagnostics: [] };
    return content;
  }

  /** Of a server that is away it is not known whether the skill is, so the old files stay. */
  async function fail(reason: SkillError, signal: AbortSignal | undefined): Promise<SourceContent> {
    hasFailed = true;
    const { path } = source;
    if (reason.code === "BACKEND_FAILED" && before) {
      const earlier = before;
      const { skills } = await earlier.list(signal);
      standIn = earlier;
      listed = { skills, diagnostics: [stale(path, reason)] };
      return await earlier.content(signal);
    }
    const broken = { path, diagnostics: [unfetched(path, reason)] };
    listed = { skills: [{ inner: "", skill: broken }], diagnostics: [] };
    throw reason;
  }

  const part: SkillPart = {
    source,
    list,
    content,
    kept: () => contents.get(key) ?? standIn?.kept(),
    settled: () => (digest === undefined ? (standIn ?? before) : part),
    isSound: () => !hasFailed,
  };
  return part;
}

export function sourceContent(path: string, fetched: SourceContent["fetched"]): SourceContent {
  const skills = foundSkills(path, fetched);
  const top = skills.find(({ inner }) => inner === "")?.skill;
  return { fetched, skills, digest: top && isUsable(top) ? top.digest : filesDigest(fetched.files) };
}

function changed(path: string, expected: string, actual: string): SkillError {
  const message = `The files of "${path}" have the digest ${actual}, not ${expected} as when they were listed. Refresh to see them as they are.`;
  return new SkillError("DIGEST_MISMATCH", message, { details: { expected, actual } });
}
