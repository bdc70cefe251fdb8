import { testArtifactStore } from "@skillwright/contracts";
import { readText } from "@skillwright/core";
import type { SaveArtifactOptions } from "@skillwright/core/adapter";
import { beforeEach, describe, expect, it, onTestFinished, test } from "vitest";
import { type S3Artifacts, s3Artifacts } from "../../src/artifacts/s3-artifacts.js";
import { type FakeS3, fakeS3 } from "../fake-s3/fake-s3.js";

const HOUR_MS = 3_600_000;
const scope = { app: "test", user: "ada", session: "one" };

testArtifactStore(test, async () => {
  const { client, bucket, close } = await fakeS3();
  return { artifacts: s3Artifacts({ client, bucket }), dispose: close };
});

describe("artifacts with a faulty server", () => {
  let fake: FakeS3;
  let artifacts: S3Artifacts;
  beforeEach(async () => {
    fake = await fakeS3();
    onTestFinished(fake.close);
    artifacts = s3Artifacts({ client: fake.client, bucket: fake.bucket, prefix: "team" });
  });

  it("a save whose answer is lost after the record was created makes one version", async () => {
    failOnce((key) => key.includes("/records/"), { kind: "lost-answer" });
    expect((await artifacts.save(scope, "x", "once")).version).toBe(0);
    expect(await artifacts.versions(scope, "x")).toHaveLength(1);
  });

  it.each([500, 503])("a request answered with %i is retried", async (status) => {
    failOnce((key) => key.includes("/content/"), { kind: "status", status, code: "SlowDown" });
    await artifacts.save(scope, "x", "saved");
    failOnce((key) => key.includes("/records/"), { kind: "status", status, code: "SlowDown" });
    expect(await textOf("x")).toBe("saved");
  });

  it("a download that is cut is resumed", async () => {
    await artifacts.save(scope, "x", "0123456789");
    failOnce((key) => key.includes("/content/"), { kind: "cut", after: 4 });
    expect(await textOf("x")).toBe("0123456789");
  });

  it("an artifact that is opened and not read sends no request for its content", async () => {
    await artifacts.save(scope, "x", "0123456789");
    const before = fake.requests.length;
    const { content } = await artifacts.open(scope, "x");
    const asked = () => fake.requests.slice(before).filter(({ key }) => key.includes("/content/")).length;
    expect(asked()).toBe(0);
    expect(await readText(content, 100)).toBe("0123456789");
    expect(asked()).toBe(1);
  });

  it("an artifact deleted between opening and the first read ends with ARTIFACT_NOT_FOUND", async () => {
    await artifacts.save(scope, "x", "0123456789");
    const { content } = await artifacts.open(scope, "x");
    await artifacts.delete(scope, "x");
    await expect(readText(content, 100)).rejects.toMatchObject({ code: "ARTIFACT_NOT_FOUND" });
  });

  it("a denied request names bucket, key and permission, and leaves no version", async () => {
    fake.fault = ({ operation, key }) =>
      operation === "put" && key.includes("/content/")
        ? { kind: "status", status: 403, code: "AccessDenied" }
        : undefined;
    const saving = artifacts.save(scope, "x", "x");
    await expect(saving).rejects.toMatchObject({
      code: "BACKEND_FAILED",
      details: { bucket: "bucket", status: 403 },
    });
    await expect(saving).rejects.toThrow(/team\/\.skillwright\/artifacts\/content\/.*s3:PutObject/);
    fake.fault = () => undefined;
    expect(await artifacts.versions(scope, "x")).toEqual([]);
  });

  it.each([-HOUR_MS, HOUR_MS])(
    "its clock may be %i ms apart: times are the server's, and young content is kept",
    async (clock) => {
      fake.clock = clock;
      const { createdAt, location = "" } = await artifacts.save(scope, "x", "x");
      expect(Math.abs(Date.parse(createdAt) - Date.now() - clock)).toBeLessThan(HOUR_MS / 2);
      const left = location.replace(`s3://${fake.bucket}/`, "").replace(/[^/]+$/, "left");
      fake.put(left, "left");
      expect(await artifacts.cleanUp({ olderThanMs: HOUR_MS / 2 })).toEqual({ contents: 0, uploads: 0 });
      fake.clock += HOUR_MS;
      expect(await artifacts.cleanUp({ olderThanMs: HOUR_MS / 2 })).toEqual({ contents: 1, uploads: 0 });
      expect(await textOf("x")).toBe("x");
    },
  );

  it.each(["ignored", "refused"] as const)(
    "where If-None-Match is %s, nothing is saved without a lock",
    async (absence) => {
      fake.absence = absence;
      await expect(artifacts.save(scope, "x", "x")).rejects.toMatchObject({ code: "UNSUPPORTED" });
      expect([...fake.objects.keys()].filter((key) => /\/artifacts\/(records|content)\//.test(key))).toEqual(
        [],
      );
    },
  );

  it("where it is ignored, a lock keeps savers apart", async () => {
    fake.absence = "ignored";
    let holders = 0;
    let last: Promise<void> = Promise.resolve();
    const locked = s3Artifacts({
      client: fake.client,
      bucket: fake.bucket,
      lock: async () => {
        const before = last;
        let release = (): void => undefined;
        last = new Promise((resolve) => {
          release = resolve;
        });
        await before;
        expect(++holders).toBe(1);
        const close = async (): Promise<void> => {
          holders--;
          release();
        };
        return { close, [Symbol.asyncDispose]: close };
      },
    });
    const saved = await Promise.all(["a", "b", "c"].map(async (text) => await locked.save(scope, "x", text)));
    expect(saved.map(({ version }) => version).sort()).toEqual([0, 1, 2]);
  });

  it("a damaged record is reported by its key", async () => {
    await artifacts.save(scope, "x", "x");
    for (const key of fake.objects.keys()) if (key.includes("/records/")) fake.put(key, "{");
    for (const read of [artifacts.open(scope, "x"), artifacts.list(scope), artifacts.versions(scope, "x")])
      await expect(read).rejects.toThrow(
        /team\/\.skillwright\/artifacts\/records\/.*999999999\.json.*Restore/,
      );
  });

  it.each(["text/html\r\nx-amz-acl: public-read", "", "caf\u00e9"])(
    "a MIME type that does not fit into a header is kept: %j",
    async (mimeType) => {
      const options: SaveArtifactOptions = { mimeType };
      expect((await artifacts.save(scope, "x", "x", options)).mimeType).toBe(mimeType);
      const put = fake.requests.find(
        ({ key, operation }) => operation === "put" && key.includes("/content/"),
      );
      expect(put?.headers["content-type"]).toBe("application/octet-stream");
      expect(put?.headers["x-amz-acl"]).toBeUndefined();
    },
  );

  it("a save sends three requests, and the first save of a store two more", async () => {
    await artifacts.save(scope, "x", "x");
    expect(fake.requests.map(({ operation }) => operation)).toEqual(["put", "put", "put", "list", "put"]);
    await artifacts.save(scope, "x", "x");
    expect(fake.requests.slice(5).map(({ operation }) => operation)).toEqual(["put", "list", "put"]);
  });

  it("a prefix that is not a path ends with CONFIG_INVALID", () => {
    expect(() => s3Artifacts({ client: fake.client, bucket: fake.bucket, prefix: "../x" })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
  });

  function failOnce(
    isMeant: (key: string) => boolean,
    fault: NonNullable<ReturnType<FakeS3["fault"]>>,
  ): void {
    let isOver = false;
    fake.fault = ({ key, operation }) => {
      if (isOver || operation === "list" || !isMeant(key)) return undefined;
      isOver = true;
      return fault;
    };
  }

  async function textOf(name: string): Promise<string> {
    return await readText((await artifacts.open(scope, name)).content, 1_000);
  }
});
