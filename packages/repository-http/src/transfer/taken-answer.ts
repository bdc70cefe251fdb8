import { type ByteStream, SkillError } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import type { Dispatcher } from "undici";
import { shownAddress } from "../address/shown-address.js";
import { decodedBody } from "./decoded-body.js";
import { headerOf, type Validators, validatorsOf } from "./validators.js";

export interface Download {
  /** The bytes as stored on the server, without a content coding. */
  readonly bytes: Uint8Array;
  /** In lower case, without parameters; empty where the server sent none. */
  readonly contentType: string;
  readonly validators: Validators | undefined;
  /** The final URL after redirects. */
  readonly url: URL;
}

export interface DownloadOptions {
  /** Maximum bytes, checked as announced, received and decoded. */
  readonly limit: number;
  /** Validators of what the caller has; the answer may then be `unchanged`. */
  readonly known?: Validators | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * @throws SkillError `LIMIT_EXCEEDED`; `ABORTED`; `BACKEND_FAILED` for any status but 200, and 304 where it was
 * requested.
 */
export async function takenAnswer(
  answer: Dispatcher.ResponseData,
  at: URL,
  { limit, known, signal }: DownloadOptions,
): Promise<Download | "unchanged"> {
  const { statusCode, headers } = answer;
  if (statusCode === 304 && known?.href === at.href) {
    discard(answer);
    return "unchanged";
  }
  if (statusCode !== 200) {
    discard(answer);
    throw statusFailure(at, statusCode);
  }
  const bytes = await receivedBytes(answer, at, { limit, signal });
  const contentType = (headerOf(headers, "content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return { bytes, contentType, validators: validatorsOf(headers, at), url: at };
}

/** The whole body without a content coding. @throws SkillError `LIMIT_EXCEEDED`, `ABORTED`, `BACKEND_FAILED`. */
export async function receivedBytes(
  answer: Dispatcher.ResponseData,
  at: URL,
  { limit, signal }: Pick<DownloadOptions, "limit" | "signal">,
): Promise<Uint8Array> {
  const { headers, body } = answer;
  const exceeded = (): SkillError => tooLarge(at, limit);
  if (announcedBytes(headers) > limit) {
    discard(answer);
    throw exceeded();
  }
  const raw = await gatheredBytes(body, limit, exceeded);
  checkAborted(signal);
  return await decodedBody(raw, headerOf(headers, "content-encoding") ?? "", limit, exceeded);
}

/** The announced length is used only as a reason to stop. */
function announcedBytes(headers: Dispatcher.ResponseData["headers"]): number {
  const length = headerOf(headers, "content-length") ?? "";
  return /^\d+$/.test(length) ? Number(length) : 0;
}

/** Closes the connection: an unused body may be endless. */
export function discard({ body }: Dispatcher.ResponseData): void {
  body.on("error", () => undefined).destroy();
}

function tooLarge(at: URL, limit: number): SkillError {
  const message = `${shownAddress(at)} has more than the ${limit} bytes allowed. Make it smaller, or raise the limit in limits.`;
  return new SkillError("LIMIT_EXCEEDED", message, { details: { limit } });
}

function statusFailure(at: URL, status: number): SkillError {
  const remedy =
    status === 401 || status === 403
      ? "Give credentials in headers."
      : "Check the address, or try again later.";
  const message = `${shownAddress(at)} answered ${status}. ${remedy}`;
  return new SkillError("BACKEND_FAILED", message, { details: { status } });
}

const FIRST_BYTES = 64 * 1024;

/**
 * Reads the whole stream, or throws the error of `exceeded` as soon as it exceeds `limit` bytes; the rest is not read.
 * Uses a single growing buffer, so that a server that sends single bytes does not cause many objects.
 */
async function gatheredBytes(stream: ByteStream, limit: number, exceeded: () => Error): Promise<Uint8Array> {
  let buffer = Buffer.allocUnsafe(Math.min(FIRST_BYTES, limit));
  let size = 0;
  for await (const piece of stream) {
    if (size + piece.byteLength > limit) throw exceeded();
    if (size + piece.byteLength > buffer.length) {
      const grown = Buffer.allocUnsafe(Math.min(limit, Math.max(buffer.length * 2, size + piece.byteLength)));
      buffer.copy(grown, 0, 0, size);
      buffer = grown;
    }
    buffer.set(piece, size);
    size += piece.byteLength;
  }
  // Copied, so that the result is not larger than the data.
  return Uint8Array.from(buffer.subarray(0, size));
}
