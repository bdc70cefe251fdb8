import { failsWith, inTime, skillMarkdown } from "@skillwright/contracts";
import { readBytes, type VersionedSkillRepository } from "@skillwright/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openS3Repository, s3Repository } from "../src/index.js";
import type { FakeRequest, FakeS3, Fault } from "./fake-s3/fake-s3.js";
import { listAnswer } from "./fake-s3/list-answer.js";
import { fakeBucket, PREFIX } from "./fake-subject.js";
import { filesOf, wholeDigest } from "./whole-skills.js";

const LARGE = Uint8Array.from({ length: 200_000 }, (_, index) => (index * 31) % 251);
const SLOW_DOWN: Fault = { kind: "status", status: 503, code: "SlowDown" };
const FAILING: Fault = { kind: "status", status: 500, code: "InternalError" };

let fake: FakeS3;
beforeEach(async () => {
  fake = await fakeBucket({ one: { "SKILL.md": skillMarkdown("one"), "large.bin": LARGE } });
});
afterEach(async () => await fake.close());

describe("a faulty server", () => {
  it.each([FAILING, SLOW_DOWN])("that answers every first request with $status is retried", async (fault) => {
    fake.fault = firstOfEach(fault);
    expect((await repository().list()).skills.map(({ name }) => name)).toEqual(["one"]);
    expect(await wholeDigest(repository(), "one")).toBeDefined();
    const publisher = await openS3Repository(place());
    const { digest } = await publisher.upload(filesOf("two", "text"));
    expect(await wholeDigest(publisher, "two")).toBe(digest);
    expect(await publisher.versions("two")).toHaveLength(1);
  });

  it("that never recovers ends with BACKEND_FAILED, naming bucket, key and status and no secret", async () => {
    fake.fault = () => FAILING;
    const error = await failsWith(repository().list(), "BACKEND_FAILED");
    expect(error.message).toMatch(
      /ListObjectsV2 of ".*" in the bucket "bucket" failed with status 500 InternalError/,
    );
    expect(JSON.stringify([error.message, error.details, String(error.cause)])).not.toMatch(/of-the-fake/);
  });

  it("that denies a request: the error names the missing permission, and other skills stay visible", async () => {
    fake.put(`${PREFIX}/two/SKILL.md`, skillMarkdown("two"));
    const refused: Fault = { kind: "status", status: 403, code: "AccessDenied" };
    fake.fault = ({ operation, key }) => (operation === "get" && key.includes("/one/") ? refused : undefined);
    const { skills, broken } = await repository().list();
    expect([skills.map(({ name }) => name), broken.map(({ path }) => path)]).toEqual([["two"], ["one"]]);
    fake.fault = ({ operation }) => (operation === "list" ? refused : undefined);
    expect((await failsWith(repository().list(), "BACKEND_FAILED")).message).toContain("s3:ListBucket");
  });

  it.each([
    ["an empty body", ""],
    ["a web page", "<!doctype html><html><body><p>It works!</p></body></html>"],
    ["XML of another kind", '<?xml version="1.0"?><rss><channel><title>News</title></channel></rss>'],
  ])(
    "that answers a listing with %s is an error, and does not count as an empty bucket",
    async (_what, body) => {
      fake.listing = () => body;
      const { message } = await failsWith(repository().list(), "BACKEND_FAILED");
      expect(message).toMatch(/not an S3 listing|ListObjectsV2/);
      expect(message).toMatch(/endpoint/);
    },
  );

  it("that is unreachable is reported in time", async () => {
    await fake.close();
    const error = await failsWith(repository().list(), "BACKEND_FAILED");
    expect(error.message).toContain("ECONNREFUSED");
  });

  it("that loses the answer to the record of a publish has stored one version, and the publisher learns this", async () => {
    const publisher = await openS3Repository(place());
    fake.fault = firstOfEach(
      { kind: "lost-answer" },
      ({ operation, key }) => operation === "put" && key.endsWith(".json"),
    );
    const { version } = await publisher.upload(filesOf("two", "text"));
    expect((await publisher.versions("two")).map((each) => each.version)).toEqual([version]);
  });

  it("that answers 409 to two concurrent creations is retried", async () => {
    const publisher = await openS3Repository(place());
    const conflict: Fault = { kind: "status", status: 409, code: "ConditionalRequestConflict" };
    fake.fault = firstOfEach(conflict, ({ key }) => key.endsWith(".json"));
    expect((await publisher.upload(filesOf("two", "text"))).version).toBe("1");
  });
});

describe("a response body", () => {
  it.each([0, 1, 70_000])("that is cut after %i bytes is resumed from there", async (after) => {
    fake.fault = (request) =>
      isLargeFile(request) && !request.headers.range ? { kind: "cut", after } : undefined;
    const bytes = await readBytes(await repository().open("one", "large.bin"), 1e6);
    expect(Buffer.compare(bytes, LARGE)).toBe(0);
    const ranges = fake.requests
      .filter(({ key }) => key.endsWith("large.bin"))
      .map(({ headers }) => headers.range);
    expect(ranges.slice(1).every((range) => /^bytes=\d+-$/.test(range ?? ""))).toBe(true);
  });

  it("that stalls is resumed too", async () => {
    fake.fault = firstOfEach({ kind: "stall", after: 1000 }, isLargeFile);
    const slow = s3Repository({ ...place(), limits: { answerMs: 2000 } });
    const read = slow.open("one", "large.bin").then(async (content) => await readBytes(content, 1e6));
    const bytes = await inTime(read, "The read");
    expect(Buffer.compare(bytes, LARGE)).toBe(0);
  });

  it("that arrives byte by byte is given up, however regularly bytes arrive", async () => {
    fake.fault = (request) => (isLargeFile(request) ? { kind: "drip", everyMs: 2 } : undefined);
    const impatient = s3Repository({ ...place(), limits: { answerMs: 2000 } });
    const content = await impatient.open("one", "large.bin");
    const { message } = await failsWith(readBytes(content, 1e6), "BACKEND_FAILED");
    expect(message).toMatch(/less than 8 kB per second: \d+ of 200000 bytes/);
  });

  it("that is cut at every attempt without a new byte ends with BACKEND_FAILED", async () => {
    fake.fault = (request) => (isLargeFile(request) ? { kind: "cut", after: 0 } : undefined);
    const content = await repository().open("one", "large.bin");
    await failsWith(readBytes(content, 1e6), "BACKEND_FAILED");
  });

  it("that is replaced after a cut is never a mix of two versions (STORE-03)", async () => {
    fake.fault = firstOfEach({ kind: "cut", after: 1000 }, (request) => {
      const isFile = isLargeFile(request);
      if (isFile) setImmediate(() => fake.put(`${PREFIX}/one/large.bin`, LARGE.slice().reverse()));
      return isFile;
    });
    await failsWith(readBytes(await repository().open("one", "large.bin"), 1e6), "CONFLICT");
  });

  it("ends with ABORTED as soon as the signal is aborted", async () => {
    fake.fault = (request) => (isLargeFile(request) ? { kind: "stall", after: 1000 } : undefined);
    const controller = new AbortController();
    const content = await repository().open("one", "large.bin", { signal: controller.signal });
    const read = (async () => {
      for await (const _ of content) controller.abort();
    })();
    await inTime(failsWith(read, "ABORTED"), "The read");
  });
});

describe("a file that was listed as small", () => {
  beforeEach(() => {
    const key = `${PREFIX}/one/large.bin`;
    const { etag = "", metadata = {}, lastModified = 0 } = fake.objects.get(key) ?? {};
    const listed = new Map(fake.objects).set(key, {
      bytes: Buffer.alloc(10),
      etag,
      metadata,
      lastModified,
    });
    fake.listing = (prefix) => listAnswer(listed, new URLSearchParams({ prefix }));
  });

  it("is not read where the object is larger than listed", async () => {
    await failsWith(readBytes(await repository().open("one", "large.bin"), 1e6), "CONFLICT");
    const read = await repository().reader?.("one");
    await failsWith(Promise.resolve(read?.("large.bin")), "CONFLICT");
    await failsWith(repository().load("one"), "CONFLICT");
  });

  it("is not read further where the object does not end", async () => {
    fake.fault = (request) => (isLargeFile(request) ? { kind: "endless" } : undefined);
    await failsWith(readBytes(await repository().open("one", "large.bin"), 1e9), "CONFLICT");
    const read = await repository().reader?.("one");
    await failsWith(Promise.resolve(read?.("large.bin")), "CONFLICT");
  });
});

describe("a load (STORE-03)", () => {
  it("returns the complete new skill if an object changed after the listing", async () => {
    fake.fault = firstOfEach(SLOW_DOWN, (request) => {
      const isFile = isLargeFile(request);
      if (isFile) for (const path of ["a.md", "large.bin"]) fake.put(`${PREFIX}/one/${path}`, `new ${path}`);
      return isFile;
    });
    const { manifest } = await repository().load("one");
    expect(manifest.files.map(({ path, size }) => `${path} ${size}`)).toEqual([
      `SKILL.md ${skillMarkdown("one").length}`,
      "a.md 8",
      "large.bin 13",
    ]);
  });

  it("fails with CONFLICT if the server keeps returning an ETag that differs from the listing", async () => {
    fake.fault = (request) => (isLargeFile(request) ? { kind: "wrong-etag" } : undefined);
    await failsWith(repository().load("one"), "CONFLICT");
  });
});

/** The fault for the first request of each kind and key that it applies to. */
function firstOfEach(fault: Fault, isMeant: (request: FakeRequest) => boolean = () => true): FakeS3["fault"] {
  const met = new Set<string>();
  return (request) => {
    const subject = `${request.operation} ${request.key}`;
    if (met.has(subject) || !isMeant(request)) return undefined;
    met.add(subject);
    return fault;
  };
}

function isLargeFile({ operation, key }: FakeRequest): boolean {
  return operation === "get" && key.endsWith("large.bin");
}

function place() {
  return { client: fake.client, bucket: fake.bucket, prefix: PREFIX };
}

function repository(): VersionedSkillRepository {
  return s3Repository(place());
}
