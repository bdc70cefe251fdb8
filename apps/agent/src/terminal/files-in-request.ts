import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";

export interface NamedFile {
  /** The name in the request. */
  readonly named: string;
  /** Absolute. */
  readonly path: string;
  readonly name: string;
  readonly size: number;
}

export interface FilesInRequest {
  readonly files: readonly NamedFile[];
  /** Words that look like a file but are not one. */
  readonly missing: readonly string[];
}

/** The files that a request names, searched below the directories in order; each once, in the request's order. */
export async function filesInRequest(
  request: string,
  directories: readonly string[],
): Promise<FilesInRequest> {
  const files = new Map<string, NamedFile>();
  const missing: string[] = [];
  for (const word of candidates(request)) {
    const found = await namedFile(word, directories);
    if (found) files.set(found.path, files.get(found.path) ?? found);
    else if (looksLikeFile(word)) missing.push(word);
  }
  return { files: [...files.values()], missing };
}

/**
 * The file of that name below the first directory that has it; `~/` is the home directory. `undefined` for none, a folder or a special
 * file.
 */
export async function namedFile(
  named: string,
  directories: readonly string[],
): Promise<NamedFile | undefined> {
  for (const directory of directories) {
    const path = placeOf(directory, named);
    // A word of the request may look like any path. What cannot be looked at is no file of it.
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile()) return { named, path, name: basename(path), size: found.size };
  }
  return undefined;
}

export async function isFolder(named: string, directories: readonly string[]): Promise<boolean> {
  // A word of the request may look like any path. What cannot be looked at is no folder of it.
  const looks = directories.map((directory) => stat(placeOf(directory, named)).catch(() => undefined));
  return (await Promise.all(looks)).some((found) => found?.isDirectory());
}

function placeOf(directory: string, named: string): string {
  return named.startsWith("~/") ? join(homedir(), named.slice(2)) : resolve(directory, named);
}

/** Quoted parts unchanged, then words without surrounding punctuation. */
function candidates(request: string): Set<string> {
  const quoted = [...request.matchAll(/"([^"]+)"|'([^']+)'|`([^`]+)`/g)].map(
    ([, a, b, c]) => a ?? b ?? c ?? "",
  );
  const words = request
    .replace(/"[^"]+"|'[^']+'|`[^`]+`/g, " ")
    .split(/\s+/)
    .map((word) => word.replace(/^[([{<“‘]+|[)\]}>.,;:!?”’]+$/gu, ""));
  return new Set([...quoted, ...words].filter((word) => /[./]/.test(word) && !word.includes("://")));
}

function looksLikeFile(word: string): boolean {
  return (
    /\/[^/\s]+\.\w{1,8}$/.test(word) ||
    /^[\w-]+\.(csv|tsv|json|md|txt|pdf|xlsx?|docx?|png|jpe?g|xml|ya?ml|html?|log)$/i.test(word)
  );
}
