import { randomUUID } from "node:crypto";
import type { ByteStream } from "@skillwright/core";
import { deepFreeze } from "@skillwright/core/adapter";
import { folderOf, type Layout } from "../layout.js";
import { isCount, isDiagnostic, isHead, isObject } from "../publications/parse-publication.js";
import { headOf, type PublicationHead } from "../publications/publication.js";
import type { FoundHead, HeadListing } from "./skill-heads.js";

/** Heads that would take more bytes are not packed. */
export const MOST_PACKED_BYTES = 64 * 1024 * 1024;
const NEWLINE = 10;

/** A line that says how many follow, so that a cut object is noticed, and a line for each head. */
export function packedBytes({ heads, diagnostics }: HeadListing, layout: Layout): Uint8Array {
  // A creator recognises its own object by the content, so no two may be equal.
  const first = { formatVersion: 1, id: randomUUID(), heads: heads.length, diagnostics };
  const lines = heads.map(({ mark, folder, number, publication }) => {
    const etag = mark.slice(layout.recordIn(folder, number).length + 1);
    return JSON.stringify({ folder, number, etag, publication: publication && packed(publication) });
  });
  return Buffer.from(`${[JSON.stringify(first), ...lines].join("\n")}\n`);
}

/** Parses while the content arrives; `undefined` for anything that this package does not write. */
export async function parsePacked(content: ByteStream, layout: Layout): Promise<HeadListing | undefined> {
  const folders = new Set<string>();
  const heads: FoundHead[] = [];
  let first: Readonly<Record<string, unknown>> | undefined;
  for await (const text of linesOf(content))
    for (const value of parsed(text) ?? [undefined]) {
      if (!isObject(value)) return undefined;
      if (!first) {
        if (value["formatVersion"] !== 1) return undefined;
        first = value;
        continue;
      }
      const head = headIn(value, layout);
      if (!head) return undefined;
      folders.add(head.folder);
      heads.push(head);
    }
  const { heads: count, diagnostics } = first ?? {};
  if (heads.length !== count || folders.size !== count) return undefined;
  if (!Array.isArray(diagnostics) || !diagnostics.every(isDiagnostic)) return undefined;
  return { heads, diagnostics: deepFreeze(diagnostics) };
}

/** The complete lines of each piece, without the last line end. */
async function* linesOf(content: ByteStream): AsyncGenerator<string, void, undefined> {
  let rest: Uint8Array[] = [];
  for await (const piece of content) {
    const end = piece.lastIndexOf(NEWLINE);
    if (end < 0) {
      rest.push(piece);
      continue;
    }
    const whole = Buffer.concat([...rest, piece.subarray(0, end)]);
    rest = [Uint8Array.from(piece.subarray(end + 1))];
    yield whole.toString("utf8");
  }
  const last = Buffer.concat(rest).toString("utf8");
  if (last !== "") yield last;
}

/** All lines in one call, which takes half as long as one for each. */
function parsed(lines: string): readonly unknown[] | undefined {
  try {
    return JSON.parse(`[${lines.replaceAll("\n", ",")}]`) as unknown[];
  } catch {
    return undefined;
  }
}

/** Leaves out a description that equals the one in the frontmatter, as nearly all do. */
function packed(publication: PublicationHead): object {
  const head = headOf(publication);
  const isTwice = head.kind === "published" && head.frontmatter["description"] === head.description;
  return isTwice ? { ...head, description: undefined } : head;
}

function headIn(value: Readonly<Record<string, unknown>>, layout: Layout): FoundHead | undefined {
  const { folder, number, etag, publication } = value;
  if (typeof folder !== "string" || typeof etag !== "string" || !isCount(number)) return undefined;
  const mark = `${layout.recordIn(folder, number)} ${etag}`;
  if (publication === undefined) return { mark, folder, number, publication };
  if (!isObject(publication)) return undefined;
  const { frontmatter, description } = publication;
  if (description === undefined && isObject(frontmatter))
    publication["description"] = frontmatter["description"];
  if (!isHead(publication, number) || folderOf(publication.name) !== folder) return undefined;
  return { mark, folder, number, publication };
}
