import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { SkillError } from "@skillwright/core";

const DECODERS = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

/**
 * Removes a content coding, which some servers apply without a request. A tar.gz that a server declares as a tar in
 * gzip coding is kept as the file it is.
 * @throws SkillError the error of `exceeded` as soon as the output exceeds `limit` bytes; `BACKEND_FAILED`.
 */
export async function decodedBody(
  bytes: Uint8Array,
  coding: string,
  limit: number,
  exceeded: () => Error,
): Promise<Uint8Array> {
  const name = coding.trim().toLowerCase();
  if (name === "" || name === "identity") return bytes;
  if (!isKnown(name)) throw undecodable(name, "is not understood");
  try {
    const decoded = await DECODERS[name](bytes, { maxOutputLength: limit });
    return isTar(decoded) ? bytes : Uint8Array.from(decoded);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw exceeded();
    throw undecodable(name, "is damaged");
  }
}

function isKnown(name: string): name is keyof typeof DECODERS {
  return Object.hasOwn(DECODERS, name);
}

function isTar(bytes: Uint8Array): boolean {
  return (
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1", 257, 262) === "ustar"
  );
}

function undecodable(name: string, why: string): SkillError {
  const message = `The content coding ${JSON.stringify(name.slice(0, 50))} of the response ${why}. Configure the server to send the file without it.`;
  return new SkillError("BACKEND_FAILED", message);
}
