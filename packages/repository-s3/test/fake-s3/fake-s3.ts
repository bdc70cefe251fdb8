import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline, Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { S3Client } from "@aws-sdk/client-s3";
import { listAnswer, type StoredObject } from "./list-answer.js";

/** One request as it was received. */
export interface FakeRequest {
  readonly operation: "get" | "head" | "put" | "delete" | "list" | "uploads";
  /** The key, or the prefix of a listing. */
  readonly key: string;
  readonly headers: IncomingMessage["headers"];
}

/** The fault injected into a request. */
export type Fault =
  | { readonly kind: "status"; readonly status: number; readonly code: string }
  /** The connection is cut after this many bytes of the body. */
  | { readonly kind: "cut"; readonly after: number }
  /** The body stalls after this many bytes. */
  | { readonly kind: "stall"; readonly after: number }
  /** The body is sent byte by byte, one per turn of the event loop, starting after this many milliseconds. */
  | { readonly kind: "drip"; readonly everyMs: number }
  /** The body has no announced length and does not end. */
  | { readonly kind: "endless" }
  /** The request is carried out, and its answer is lost. */
  | { readonly kind: "lost-answer" }
  | { readonly kind: "wrong-etag" };

/**
 * A bucket that behaves as one client sees it, with faults on request. It is not a complete server: it has no
 * permissions.
 */
export interface FakeS3 {
  readonly client: S3Client;
  readonly bucket: string;
  readonly objects: Map<string, StoredObject>;
  readonly requests: FakeRequest[];
  /** Called before each request is carried out. */
  fault: (request: FakeRequest) => Fault | undefined;
  /** Overrides the answer to a listing. */
  listing: ((prefix: string, token: string | undefined) => string) | undefined;
  /** Milliseconds by which its clock is ahead of the local one. */
  clock: number;
  /** Whether `If-None-Match: *` is honoured; `refused` answers 501. */
  absence: "honoured" | "ignored" | "refused";
  put(key: string, content: string | Uint8Array, metadata?: Readonly<Record<string, string>>): void;
  close(): Promise<void>;
}

export async function fakeS3(): Promise<FakeS3> {
  const bucket = "bucket";
  const objects = new Map<string, StoredObject>();
  const server = createServer((request, response) => {
    response.setHeader("Date", new Date(Date.now() + fake.clock).toUTCString());
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = new S3Client({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forcePathStyle: true,
    region: "us-east-1",
    credentials: { accessKeyId: "key-of-the-fake", secretAccessKey: "secret-of-the-fake" },
  });
  // The client's own strategy decides what is tried again. Its pauses are of no interest here.
  const backoff = { setDelayBase: () => undefined, computeNextBackoffDelay: () => 1 };
  Object.assign(await client.config.retryStrategy(), { retryBackoffStrategy: backoff });
  const fake: FakeS3 = {
    ...{ client, bucket, objects, requests: [], fault: () => undefined, listing: undefined, clock: 0 },
    absence: "honoured",
    put(key, content, metadata = {}) {
      const bytes = Buffer.from(content);
      const etag = `"${createHash("md5").update(bytes).digest("hex")}"`;
      objects.set(key, { bytes, etag, metadata, lastModified: Date.now() + fake.clock });
    },
    async close() {
      client.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://fake");
    const path = decodeURIComponent(pathname).slice(`/${bucket}/`.length);
    const operation = operationOf(request, searchParams);
    const key = operation === "list" ? (searchParams.get("prefix") ?? "") : path;
    const asked: FakeRequest = { operation, key, headers: request.headers };
    fake.requests.push(asked);
    const body = await bodyOf(request);
    const fault = fake.fault(asked) ?? undefined;
    if (fault?.kind === "status") return fail(response, fault.status, fault.code);
    if (operation === "put") store(key, body, request, response);
    else if (operation === "delete") remove(key, response);
    else if (operation === "list") list(searchParams, response);
    else if (operation === "uploads")
      response.end("<ListMultipartUploadsResult></ListMultipartUploadsResult>");
    else return give(objects.get(key), { request, response, fault });
    if (fault?.kind === "lost-answer") response.destroy();
    else response.end();
  }

  function store(key: string, body: Buffer, { headers }: IncomingMessage, response: ServerResponse): void {
    const isConditional = headers["if-none-match"] === "*";
    if (isConditional && fake.absence === "refused") {
      fail(response, 501, "NotImplemented");
      return;
    }
    if (isConditional && fake.absence === "honoured" && objects.has(key)) {
      fail(response, 412, "PreconditionFailed");
      return;
    }
    const notes = Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith("x-amz-meta-") ? [[name.slice("x-amz-meta-".length), String(value)]] : [],
    );
    fake.put(key, body, Object.fromEntries(notes));
    response.setHeader("ETag", objects.get(key)?.etag ?? "");
  }

  function remove(key: string, response: ServerResponse): void {
    objects.delete(key);
    response.statusCode = 204;
  }

  function list(query: URLSearchParams, response: ServerResponse): void {
    const prefix = query.get("prefix") ?? "";
    const token = query.get("continuation-token") ?? undefined;
    response.write(fake.listing?.(prefix, token) ?? listAnswer(objects, query));
  }

  function give(
    object: StoredObject | undefined,
    {
      request,
      response,
      fault,
    }: { request: IncomingMessage; response: ServerResponse; fault: Fault | undefined },
  ): void {
    if (!object) {
      fail(response, 404, request.method === "HEAD" ? "NotFound" : "NoSuchKey");
      return;
    }
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
    const rest = object.bytes.subarray(from);
    const size = object.bytes.byteLength;
    if (from > 0) response.setHeader("Content-Range", `bytes ${from}-${size - 1}/${size}`);
    for (const [name, value] of Object.entries(object.metadata))
      response.setHeader(`x-amz-meta-${name}`, value);
    response.setHeader("ETag", fault?.kind === "wrong-etag" ? '"another"' : object.etag);
    response.setHeader("Last-Modified", new Date(object.lastModified).toUTCString());
    response.statusCode = from > 0 ? 206 : 200;
    if (fault?.kind === "endless") return void pipeline(Readable.from(zeros()), response, () => undefined);
    response.setHeader("Content-Length", rest.byteLength);
    if (fault?.kind === "drip")
      return void pipeline(Readable.from(drops(rest, fault.everyMs)), response, () => undefined);
    if (fault?.kind !== "cut" && fault?.kind !== "stall") response.end(rest);
    else response.write(rest.subarray(0, fault.after), () => fault.kind === "cut" && response.destroy());
  }
}

async function* drops(bytes: Buffer, everyMs: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.byteLength; at++) {
    await setTimeout(everyMs);
    yield bytes.subarray(at, at + 1);
  }
}

function* zeros(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(64 * 1024);
}

function operationOf({ method }: IncomingMessage, query: URLSearchParams): FakeRequest["operation"] {
  if (query.has("uploads")) return "uploads";
  if (query.get("list-type") === "2") return "list";
  return ({ GET: "get", HEAD: "head", PUT: "put", DELETE: "delete" } as const)[method ?? ""] ?? "get";
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { "Content-Type": "application/xml" });
  response.end(`<Error><Code>${code}</Code><Message>The fake says so.</Message></Error>`);
}
