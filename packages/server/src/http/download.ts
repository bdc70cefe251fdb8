import type { ByteStream } from "@skillwright/core";
import { bytesSchema } from "./schemas.js";

/**
 * The content as a file to save. A browser never shows it as a page of the server.
 *
 * @param range Header of the request for a part of a content whose size is known; one that is not understood has no effect.
 */
export function download(
  content: ByteStream,
  { name, mimeType, size }: { name: string; mimeType: string; size?: number | undefined },
  range?: string,
): Response {
  const part = size === undefined ? undefined : partOf(range, size);
  const base = name.split("/").at(-1) ?? name;
  const plain = base.replaceAll(/[^A-Za-z0-9._ -]/g, "_");
  const encoded = encodeURIComponent(base).replaceAll(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  );
  const sent = part ? bytesOf(content, part) : content;
  return new Response(ReadableStream.from(sent) as unknown as ReadableStream<Uint8Array>, {
    status: part ? 206 : 200,
    headers: {
      "content-type": mimeType,
      "content-disposition": `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
      ...(size !== undefined && {
        "accept-ranges": "bytes",
        "content-length": String(part ? part.end - part.start : size),
      }),
      ...(part && { "content-range": `bytes ${part.start}-${part.end - 1}/${size}` }),
    },
  });
}

interface Part {
  readonly start: number;
  /** The first byte after it. */
  readonly end: number;
}

/** Several ranges, and those that have no byte of the content, are answered with all of it, as the standard allows. */
function partOf(range: string | undefined, size: number): Part | undefined {
  const [, from = "", to = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size : Math.min(size, Number(to) + 1);
  return start < end ? { start, end } : undefined;
}

async function* bytesOf(content: ByteStream, { start, end }: Part): ByteStream {
  let at = 0;
  for await (const piece of content) {
    const wanted = piece.subarray(Math.max(0, start - at), Math.max(0, end - at));
    at += piece.byteLength;
    if (wanted.byteLength > 0) yield wanted;
    if (at >= end) return;
  }
}

/** The media type is the file's own. */
export const downloadAnswer = answerWith("*/*");
/** The answers of an endpoint that can also send a part of the file. */
export const partAnswer = {
  ...downloadAnswer,
  206: { ...downloadAnswer[200], description: "The part that the header `range` asks for." },
};
export const zipAnswer = answerWith("application/zip");

function answerWith(mediaType: string) {
  return {
    200: {
      description: "The content, to save as a file.",
      content: { [mediaType]: { schema: bytesSchema } },
    },
  };
}
