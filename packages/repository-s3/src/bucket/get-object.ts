import { GetObjectCommand, type GetObjectCommandOutput } from "@aws-sdk/client-s3";
import { type ByteStream, type CallOptions, SkillError } from "@skillwright/core";
import { plainEtag } from "./plain-etag.js";
import { type BucketPlace, type RequestSubject, request, statusOf } from "./request.js";
import { type ObjectBody, resumedContent } from "./resumed-content.js";

/** An existing object whose content is being received. */
export interface StoredObject {
  /** ETag without quotes. */
  readonly etag: string;
  /** Size in bytes. */
  readonly size: number;
  /** Metadata set by its writer, with lower-case names. */
  readonly metadata: Readonly<Record<string, string>>;
  /**
   * Read it once. Resumes after an interruption; fails with `BACKEND_FAILED`, or with `CONFLICT` where the object was
   * replaced.
   */
  readonly content: ByteStream;
  /** Call it if the content is not read, or not read to its end by a loop. */
  discard(): void;
}

export interface GetOptions extends CallOptions {
  /** Size in bytes as listed. A larger object is not read: the call, or its content, fails with `CONFLICT`. */
  readonly listedSize?: number | undefined;
  /** Creates another error than `CONFLICT` for that. */
  readonly whenLarger?: (() => SkillError) | undefined;
}

/** Returns the object with this key; `undefined` where there is none. */
export async function getObject(
  place: BucketPlace,
  key: string,
  options: GetOptions,
): Promise<StoredObject | undefined> {
  const { signal, listedSize = Number.POSITIVE_INFINITY } = options;
  const { whenLarger = () => largerThanListed(place, key, listedSize) } = options;
  const subject: RequestSubject = { operation: "GetObject", key, signal };
  const first = await answered(place, subject);
  if (!first) return undefined;
  const [etag, size] = [plainEtag(first.ETag), first.ContentLength ?? 0];
  let body = bodyOf(first);
  if (size > listedSize) {
    body.destroy?.();
    throw whenLarger();
  }
  const content = resumedContent({
    first: body,
    size,
    place,
    subject,
    more: async (offset) => {
      const next = await answered(place, subject, `bytes=${offset}-`);
      if (!next || plainEtag(next.ETag) !== etag) throw changed(place, key);
      body = bodyOf(next);
      return { body, offset: startOf(next) };
    },
  });
  return {
    etag,
    size,
    metadata: first.Metadata ?? {},
    content: upTo(content, listedSize, whenLarger),
    discard: () => body.destroy?.(),
  };
}

/** A server need not announce a length. */
async function* upTo(content: ByteStream, limit: number, exceeded: () => SkillError): ByteStream {
  let given = 0;
  for await (const piece of content) {
    given += piece.byteLength;
    if (given > limit) throw exceeded();
    yield piece;
  }
}

async function answered(
  place: BucketPlace,
  subject: RequestSubject,
  range?: string,
): Promise<GetObjectCommandOutput | undefined> {
  const command = new GetObjectCommand({
    Bucket: place.name,
    Key: subject.key,
    ...(range !== undefined && { Range: range }),
  });
  try {
    return await request(place, subject, (abortSignal) => place.client.send(command, { abortSignal }));
  } catch (error) {
    if (statusOf(error) === 404 && isMissingKey(error)) return undefined;
    throw error;
  }
}

/** A missing bucket has the same status. */
function isMissingKey(error: unknown): boolean {
  return SkillError.is(error) && error.details["code"] !== "NoSuchBucket";
}

function bodyOf({ Body }: GetObjectCommandOutput): ObjectBody {
  return (Body as ObjectBody | undefined) ?? empty();
}

async function* empty(): AsyncGenerator<Uint8Array> {}

/** The offset at which the body begins; a server may answer with the whole object. */
function startOf({ ContentRange }: GetObjectCommandOutput): number {
  return Number(/^bytes (\d+)-/.exec(ContentRange ?? "")?.[1] ?? 0);
}

function largerThanListed({ name }: BucketPlace, key: string, listedSize: number): SkillError {
  const message = `The object "${key}" in the bucket "${name}" is larger than the ${listedSize} bytes in the listing, so it was replaced and is not read. Load the skill again.`;
  return new SkillError("CONFLICT", message, { details: { bucket: name, key, listedSize } });
}

function changed({ name }: BucketPlace, key: string): SkillError {
  const message = `The object "${key}" in the bucket "${name}" was replaced while it was read. Read it again.`;
  return new SkillError("CONFLICT", message, { details: { bucket: name, key } });
}
