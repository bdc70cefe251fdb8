import { isUtf8 } from "node:buffer";
import { readText } from "@skillwright/core";
import type { ListedFile } from "@skillwright/core/adapter";
import type { GitProgram } from "../process/git-program.js";
import type { Snapshot } from "../snapshots/take-snapshot.js";

/** One line of a commit's file list. */
export interface TreeEntry extends ListedFile {
  readonly kind: NonNullable<ListedFile["kind"]>;
  /** Object id of the content. */
  readonly id: string;
}

const LINE = /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t/;
/** Maximum length of a line without its path. */
const MAX_HEAD_BYTES = 256;

/** No system has paths of this length; such a tree is an attempt to exhaust memory. */
const MAX_LINE_BYTES = 1024 * 1024;

/**
 * Lists the folder's files in git's order, at most `limit` plus one: a tree of a few kilobytes can contain any number
 * of files. `undefined` where there is no such folder.
 */
export async function treeEntries(
  git: GitProgram,
  { gitDirectory, commit }: Snapshot,
  { path, limit, signal }: { path: string | undefined; limit: number; signal: AbortSignal | undefined },
): Promise<readonly TreeEntry[] | undefined> {
  const place = `--git-dir=${gitDirectory}`;
  const input = `${commit}:${path ?? ""}\n`;
  const said = await readText(git.local([place, "cat-file", "--batch-check"], { signal, input }), 10_000);
  const tree = /^([0-9a-f]{40,64}) tree \d+\n$/.exec(said)?.[1];
  if (tree === undefined) return undefined;
  const entries: TreeEntry[] = [];
  let rest: Uint8Array = new Uint8Array();
  for await (const piece of git.local([place, "ls-tree", "-r", "-z", "-l", "--full-tree", tree], {
    signal,
  })) {
    let text = Buffer.concat([rest, piece]);
    for (let end = text.indexOf(0); end !== -1; end = text.indexOf(0)) {
      entries.push(treeEntry(text.subarray(0, end)));
      if (entries.length > limit) return entries;
      text = text.subarray(end + 1);
    }
    if (text.byteLength > MAX_LINE_BYTES) throw new Error("a name in it has no end");
    rest = text;
  }
  return entries;
}

function treeEntry(line: Buffer): TreeEntry {
  const head = LINE.exec(line.subarray(0, MAX_HEAD_BYTES).toString("latin1"));
  if (!head) throw new Error("git listed a file in an unknown form");
  const [whole, mode = "", , id = "", size = ""] = head;
  const name = line.subarray(whole.length);
  const kind = kindOf(mode);
  return {
    path: name.toString("utf8"),
    isText: isUtf8(name),
    kind,
    id,
    stamp: `${kind === "executable" ? "x" : "-"} ${id}`,
    // A submodule has no size.
    size: size === "-" ? 0 : Number(size),
  };
}

function kindOf(mode: string): TreeEntry["kind"] {
  if (mode === "120000") return "link";
  if (mode === "160000") return "submodule";
  return (Number.parseInt(mode, 8) & 0o111) === 0 ? "file" : "executable";
}
