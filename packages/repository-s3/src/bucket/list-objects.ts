import { ListObjectsV2Command, type ListObjectsV2CommandOutput } from "@aws-sdk/client-s3";
import { type CallOptions, SkillError } from "@skillwright/core";
import { plainEtag } from "./plain-etag.js";
import { type BucketPlace, request } from "./request.js";

export interface ListedObject {
  readonly key: string;
  /** Size in bytes. */
  readonly size: number;
  /** ETag without quotes. */
  readonly etag: string;
  /** Milliseconds since 1970 by the server's clock; 0 where it is not reported. */
  readonly lastModified: number;
}

export interface ListPage {
  /** Sorted by key bytes. */
  readonly objects: readonly ListedObject[];
  /**
   * Time of the page by the server's clock, in milliseconds since 1970; by this machine's clock where the server does
   * not report it.
   */
  readonly serverTime: number;
}

export interface ListOptions extends CallOptions {
  /** Lists only keys after this one. */
  readonly startAfter?: string | undefined;
  /** Maximum number of objects per page. Defaults to 1,000, the maximum of servers. */
  readonly pageSize?: number | undefined;
}

/** Yields all objects whose key begins with the prefix, page by page. */
export async function* listObjects(
  place: BucketPlace,
  prefix: string,
  { pages, objects, signal, startAfter, pageSize }: ListOptions & { pages: number; objects: number },
): AsyncGenerator<ListPage, void, undefined> {
  const tokens = new Set<string>();
  let token: string | undefined;
  let count = 0;
  do {
    const { answer, serverTime } = await page(place, signal, {
      Prefix: prefix,
      // Keys may contain characters that XML cannot represent.
      EncodingType: "url",
      ...(pageSize !== undefined && { MaxKeys: pageSize }),
      ...(token !== undefined
        ? { ContinuationToken: token }
        : startAfter !== undefined && { StartAfter: startAfter }),
    });
    const found = (answer.Contents ?? []).flatMap(listed).filter(({ key }) => key.startsWith(prefix));
    count += found.length;
    if (count > objects) throw exceeded(place, prefix, `has more than ${objects} objects`, "objects");
    yield { objects: found, serverTime };
    token = answer.IsTruncated ? answer.NextContinuationToken : undefined;
    if (token === undefined) return;
    if (tokens.has(token))
      throw exceeded(place, prefix, "returns a continuation token that it returned before", "pages");
    tokens.add(token);
  } while (tokens.size < pages);
  throw exceeded(place, prefix, `has more than ${pages} pages`, "pages");
}

async function page(
  place: BucketPlace,
  signal: AbortSignal | undefined,
  input: Omit<ConstructorParameters<typeof ListObjectsV2Command>[0], "Bucket"> & { readonly Prefix: string },
): Promise<{ answer: ListObjectsV2CommandOutput; serverTime: number }> {
  const command = new ListObjectsV2Command({ Bucket: place.name, ...input });
  let serverTime = Number.NaN;
  command.middlewareStack.add(
    (next) => async (sent) => {
      const result = await next(sent);
      const { headers } = result.response as { readonly headers?: Readonly<Record<string, string>> };
      serverTime = Date.parse(headers?.["date"] ?? "");
      return result;
    },
    { step: "deserialize", name: "skillwrightServerTime" },
  );
  const subject = { operation: "ListObjectsV2", key: input.Prefix, signal };
  const answer = await request(place, subject, (abortSignal) => place.client.send(command, { abortSignal }));
  if (!isListing(answer)) throw notAListing(place, input.Prefix);
  return { answer, serverTime: Number.isNaN(serverTime) ? Date.now() : serverTime };
}

/**
 * S3 names the bucket, and tells whether the listing is truncated, in every answer; a web page or an empty body does
 * neither.
 */
function isListing({ Name, IsTruncated }: ListObjectsV2CommandOutput): boolean {
  return typeof Name === "string" && typeof IsTruncated === "boolean";
}

function notAListing({ name }: BucketPlace, prefix: string): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `The answer to ListObjectsV2 of "${prefix}" in the bucket "${name}" is not an S3 listing. ` +
      "The endpoint of the client is probably not an S3 server: check AWS_ENDPOINT_URL_S3.",
    { details: { bucket: name, key: prefix, operation: "ListObjectsV2", code: "NotAListing" } },
  );
}

function listed(object: {
  readonly Key?: string | undefined;
  readonly Size?: number | undefined;
  readonly ETag?: string | undefined;
  readonly LastModified?: Date | undefined;
}): ListedObject[] {
  if (object.Key === undefined) return [];
  return [
    {
      key: decoded(object.Key),
      size: object.Size ?? 0,
      etag: plainEtag(object.ETag),
      lastModified: object.LastModified?.getTime() ?? 0,
    },
  ];
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll("+", "%20"));
  } catch {
    return key;
  }
}

function exceeded({ name }: BucketPlace, prefix: string, what: string, limit: string): SkillError {
  const message = `The listing of "${prefix}" in the bucket "${name}" ${what}. Give a more specific prefix, or raise limits.${limit}.`;
  return new SkillError("LIMIT_EXCEEDED", message, { details: { bucket: name, prefix, limit } });
}
