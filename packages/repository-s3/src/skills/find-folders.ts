import { type Diagnostic, isContainedPath, type SkillRules } from "@skillwright/core";
import { type BucketDiagnosticCode, bucketDiagnostic } from "./diagnostics.js";
import {
  type PlainEntry,
  type PlainFolder,
  type PlainFolderInMaking,
  plainFolderInMaking,
} from "./plain-folder.js";

export interface FoundFolders {
  readonly folders: readonly PlainFolder[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface FindOptions {
  /** Maximum depth of a skill's folder. */
  readonly depth: number;
  /** Name of the top folder. */
  readonly name: string;
  readonly rules: SkillRules;
}

const SKILL_FILE = "SKILL.md";
/** Reported once, not for every place in a large bucket. */
const ONCE: ReadonlySet<BucketDiagnosticCode> = new Set(["scan.depth", "scan.key"]);

/**
 * Finds every folder with a SKILL.md outside of hidden folders and `node_modules`. Files of a nested skill belong to
 * both skills.
 */
export function findFolders(
  entries: readonly PlainEntry[],
  { depth, name, rules }: FindOptions,
): FoundFolders {
  const diagnostics = new Map<string, Diagnostic>();
  const makings = new Map<string, PlainFolderInMaking>();
  for (const entry of entries) open(entry);
  for (const entry of entries) if (!give(entry)) pass(entry);
  return {
    folders: [...makings.values()].map((making) => making.finished()),
    diagnostics: [...diagnostics.values()].sort((a, b) => ((a.path ?? "") < (b.path ?? "") ? -1 : 1)),
  };

  function open({ path: key }: PlainEntry): void {
    if (key !== SKILL_FILE && !key.endsWith(`/${SKILL_FILE}`)) return;
    const folder = key.split("/").slice(0, -1);
    const path = folder.join("/") || ".";
    if (folder.some(isSkipped)) return;
    if (folder.includes("")) tell("scan.key", key);
    else if (path !== "." && (!isContainedPath(path) || path.includes("\ufffd"))) tell("scan.name", path);
    else if (folder.length > depth) tell("scan.depth", path);
    else makings.set(path, plainFolderInMaking(path, folder.at(-1) ?? name, rules));
  }

  /** Adds the file to each skill that contains it; returns `false` where there is none. */
  function give(entry: PlainEntry): boolean {
    const { path } = entry;
    let isTaken = false;
    const take = (folder: string, file: string): void => {
      const making = makings.get(folder);
      making?.take(entry, file);
      isTaken ||= making !== undefined;
    };
    take(".", path);
    for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1))
      take(path.slice(0, slash), path.slice(slash + 1));
    return isTaken;
  }

  /** Reports an object outside of all skills that its author may have intended as part of one. */
  function pass({ path, size }: PlainEntry): void {
    const parts = path.split("/");
    if ((path.endsWith("/") && size === 0) || parts.slice(0, -1).some(isSkipped)) return;
    const last = parts.at(-1) ?? "";
    if (!isContainedPath(path)) tell("scan.key", path);
    else if (last !== SKILL_FILE && last.toLowerCase() === "skill.md") tell("skill-file.name", path);
  }

  function tell(code: BucketDiagnosticCode, path: string): void {
    const key = ONCE.has(code) ? code : `${code} ${path}`;
    if (!diagnostics.has(key)) diagnostics.set(key, bucketDiagnostic(code, path));
  }
}

function isSkipped(part: string): boolean {
  return part.startsWith(".") || part === "node_modules";
}
