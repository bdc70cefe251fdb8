import { type Diagnostic, SkillError, type SkillSummary } from "@skillwright/core";
import { isSummary, sharedWork } from "@skillwright/core/adapter";
import { type Fetching, fetchedFiles } from "../payload/fetched-files.js";
import type { SkillSource } from "../payload/skill-source.js";
import { filesDigest, foundSkills, type InnerSkill, summaryOf } from "./found-skills.js";
import type { KeptContents, SourceContent } from "./kept-contents.js";
import { type TreeRules, treeSkills } from "./tree-skills.js";

/** What is known of a source without its files. */
interface ListedPart {
  readonly skills: readonly InnerSkill<SkillSummary>[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A source with its content. It is fetched on first use, and again after its files were dropped. */
export interface SkillPart {
  readonly source: SkillSource;
  /**
   * A source that cannot be fetched becomes a broken skill with a diagnostic; only `ABORTED` and `CLOSED` are thrown.
   */
  list(signal: AbortSignal | undefined): Promise<ListedPart>;
  /** Tries again after a failure. @throws SkillError the reason why it cannot be fetched. */
  content(signal: AbortSignal | undefined): Promise<SourceContent>;
  /** The content in memory, for comparison by a newer part of the same source. */
  kept(): SourceContent | undefined;
  /** The part with the latest successful content: this one, the one it replaces, or none. */
  settled(): SkillPart | undefined;
  /** False after a failure. */
  isSound(): boolean;
}

export interface PartOptions {
  readonly fetching: Fetching;
  readonly contents: KeptContents;
  /** The same source before a refresh. */
  readonly before: SkillPart | undefined;
  /** Its content, if it has been fetched already. */
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
      fetching,
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
      // What was fetched once stays known, even if its files cannot be fetched now.
      if (digest !== undefined || reason.code === "ABORTED" || reason.code === "CLOSED") throw reason;
      return await fail(reason, signal);
    }
  }

  function settle(content: SourceContent): SourceContent {
    // The previous part is released; otherwise every refresh would lengthen a chain.
    [digest, hasFailed, standIn, before] = [content.digest, false, undefined, undefined];
    contents.put(key, content);
    const skills = content.skills.map(({ inner, found }) => ({
      inner,
      found: isSummary(found) ? summaryOf(found) : found,
    }));
    listed = { skills, diagnostics: content.diagnostics };
    return content;
  }

  /** If the server is unreachable, the skill's state is unknown, so the old files are kept. */
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
    listed = { skills: [{ inner: "", found: broken }], diagnostics: [] };
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

export function sourceContent(
  path: string,
  fetched: SourceContent["fetched"],
  rules: TreeRules,
): SourceContent {
  const { skills, diagnostics } = fetched.isTree
    ? treeSkills(path, fetched, rules)
    : { skills: foundSkills(path, fetched), diagnostics: [] };
  const top = skills.find(({ inner }) => inner === "")?.found;
  return {
    fetched,
    skills,
    diagnostics,
    digest: top && isSummary(top) ? top.digest : filesDigest(fetched.files),
  };
}

function changed(path: string, expected: string, actual: string): SkillError {
  const message = `The files of "${path}" have the digest ${actual}, but had ${expected} when they were listed. Refresh to see the new content.`;
  return new SkillError("DIGEST_MISMATCH", message, { details: { expected, actual } });
}

/** Reports why a listed skill could not be fetched. */
function unfetched(path: string, { code, message }: SkillError): Diagnostic {
  const hint = "Refresh to try again, or ask the publisher to fix it.";
  const name = code.toLowerCase().replaceAll("_", "-");
  return { code: `fetch.${name}`, severity: "error", message, hint, path };
}

/** Reports why a skill still has the state from before the last refresh. */
function stale(path: string, { message }: SkillError): Diagnostic {
  return {
    code: "fetch.stale",
    severity: "warning",
    message: `The skill "${path}" could not be refreshed, so its previous version is used. ${message}`,
    hint: "Refresh again.",
    path,
  };
}
