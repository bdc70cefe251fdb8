import type { ByteStream } from "@skillwright/core";
import { bytesSchema } from "./schemas.js";

/** The content as a file to save. A browser never shows it as a page of the server. */
export function download(
  content: ByteStream,
  { name, mimeType, size }: { name: string; mimeType: string; size?: number | undefined },
): Response {
  const base = name.split("/").at(-1) ?? name;
  const plain = base.replaceAll(/[^A-Za-z0-9._ -]/g, "_");
  const encoded = encodeURIComponent(base).replaceAll(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  );
  return new Response(ReadableStream.from(content) as unknown as ReadableStream<Uint8Array>, {
    headers: {
      "content-type": mimeType,
      "content-disposition": `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
      ...(size !== undefined && { "content-length": String(size) }),
    },
  });
}

/** The media type is the file's own. */
export const downloadAnswer = answerWith("*/*");
export const zipAnswer = answerWith("application/zip");

function answerWith(mediaType: string) {
  return {
    200: {
      description: "The content, to save as a file.",
      content: { [mediaType]: { schema: bytesSchema } },
    },
  };
}
