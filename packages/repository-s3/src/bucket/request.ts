import type { S3Client } from "@aws-sdk/client-s3";
import { SkillError } from "@skillwright/core";
import { checkAborted, eitherSignal, untilAborted } from "@skillwright/core/adapter";

/** The target of requests. */
export interface BucketPlace {
  readonly client: S3Client;
  readonly name: string;
  readonly answerMs: number;
}

/** Describes a request for messages. */
export interface RequestSubject {
  /** The operation's name in S3, which is also the name of the required permission. */
  readonly operation: string;
  /** The key, or the prefix of a listing. */
  readonly key: string;
  readonly signal: AbortSignal | undefined;
  /** Number of bytes sent with the request, which extend its timeout. */
  readonly bytes?: number;
}

/** 64 kB a second. */
const SLOWEST_BYTES_PER_MS = 64;

/**
 * Sends a request and waits for its answer, with a timeout.
 * @throws SkillError `ABORTED`; `BACKEND_FAILED` with `details` status and code.
 */
export async function request<Answer>(
  place: BucketPlace,
  subject: RequestSubject,
  send: (abortSignal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const { signal, bytes = 0 } = subject;
  checkAborted(signal);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), place.answerMs + bytes / SLOWEST_BYTES_PER_MS);
  try {
    return await untilAborted(send(eitherSignal(signal, late.signal)), signal);
  } catch (error) {
    checkAborted(signal);
    throw late.signal.aborted ? unanswered(place, subject) : failure(error, place, subject);
  } finally {
    clearTimeout(timer);
  }
}

/** The status of an error answer; `undefined` where there was no answer. */
export function statusOf(error: unknown): number | undefined {
  return SkillError.is(error) ? numberOrNone(error.details["status"]) : undefined;
}

/** How often the request was sent, where the answer was an error. */
export function attemptsOf(error: unknown): number {
  return (SkillError.is(error) && numberOrNone(error.details["attempts"])) || 1;
}

/**
 * The error that callers get. The client's original error is not included, because some of its fields contain
 * credentials.
 */
export function failure(
  error: unknown,
  { name }: Pick<BucketPlace, "name">,
  { operation, key }: Pick<RequestSubject, "operation" | "key">,
): SkillError {
  if (SkillError.is(error)) return error;
  const { code, status, attempts } = facts(error);
  const answer = status === undefined ? `failed with ${code}` : `failed with status ${status} ${code}`;
  const todo = unsent(error) ?? remedy(status, operation);
  const message = `${operation} of "${key}" in the bucket "${name}" ${answer}. ${todo}`;
  const details = { bucket: name, key, operation, code, attempts, ...(status !== undefined && { status }) };
  return new SkillError("BACKEND_FAILED", message, { details });
}

function unanswered({ name, answerMs }: BucketPlace, { operation, key }: RequestSubject): SkillError {
  const message = `${operation} of "${key}" in the bucket "${name}" got no response within ${answerMs} ms. Check the network connection to the server, or raise limits.answerMs.`;
  return new SkillError("BACKEND_FAILED", message, { details: { bucket: name, key, operation } });
}

interface Facts {
  readonly code: string;
  readonly status: number | undefined;
  readonly attempts: number | undefined;
}

function facts(error: unknown): Facts {
  if (typeof error !== "object" || error === null)
    return { code: "an unknown error", status: undefined, attempts: undefined };
  const { name, code, $metadata } = error as {
    readonly name?: unknown;
    readonly code?: unknown;
    readonly $metadata?: { readonly httpStatusCode?: unknown; readonly attempts?: unknown };
  };
  const status = numberOrNone($metadata?.httpStatusCode);
  // For system errors the code tells more than the name.
  const said = status === undefined ? [code, name] : [name, code];
  const word = said.find((text) => typeof text === "string" && /^[\w.-]{1,60}$/.test(text));
  return { code: String(word ?? "an unknown error"), status, attempts: numberOrNone($metadata?.attempts) };
}

/** Why a request was never sent. Only known prefixes, because the client's messages may contain secrets. */
function unsent(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { name, message } = error as { readonly name?: unknown; readonly message?: unknown };
  if (name === "CredentialsProviderError")
    return "No credentials were found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or those of the client.";
  if (typeof message === "string" && message.startsWith("Region is missing"))
    return "No region is set. Set AWS_REGION (and AWS_ENDPOINT_URL_S3 for another server than Amazon's), or the region of the client.";
  return undefined;
}

function remedy(status: number | undefined, operation: string): string {
  if (status === 401 || status === 403)
    return `Check the credentials and that they have the permission s3:${RIGHTS[operation] ?? operation}.`;
  if (status === 404) return "Check the name of the bucket, and the endpoint and region of the client.";
  if (status === 301 || status === 307) return "Give the client the region or endpoint of the bucket.";
  if (status === undefined) return "Check the endpoint and the credentials of the client.";
  return status >= 500
    ? "Try again later; the server is overloaded or has an internal error."
    : "Check what the server supports.";
}

/** Permissions whose name differs from the operation's. */
const RIGHTS: Readonly<Record<string, string>> = {
  HeadObject: "GetObject",
  ListObjectsV2: "ListBucket",
  ListMultipartUploads: "ListBucketMultipartUploads",
};

function numberOrNone(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
