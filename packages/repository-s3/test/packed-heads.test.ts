import { failsWith, skillMarkdown } from "@skillwright/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openS3Repository, s3Repository, type WritableS3Repository } from "../src/index.js";
import type { FakeS3 } from "./fake-s3/fake-s3.js";
import { fakeBucket, PREFIX } from "./fake-subject.js";
import { filesOf } from "./whole-skills.js";

const OWN = `${PREFIX}/.skillwright/`;
const NAMES = ["a", "b", "c", "d"];

let fake: FakeS3;
let publisher: WritableS3Repository;
beforeEach(async () => {
  fake = await fakeBucket({ plain: { "SKILL.md": skillMarkdown("plain") } });
  publisher = await openS3Repository(place());
  for (const name of NAMES) await publisher.upload(filesOf(name, "first"));
  await publisher.delete("d");
  await publisher.cleanUp();
});
afterEach(async () => await fake.close());

describe("packed heads", () => {
  it("are all that a first listing reads of published skills", async () => {
    const before = fake.requests.length;
    const listed = await s3Repository(place()).list();
    const read = fake.requests.slice(before).filter(({ operation }) => operation === "get");
    expect(read.map(({ key }) => key).sort()).toEqual([packedKey(), `${PREFIX}/plain/SKILL.md`]);
    expect(fake.requests.slice(before).some(({ key }) => key.startsWith(`${OWN}records/`))).toBe(false);
    expect(listed).toEqual(await byRecords());
    expect(listed.skills.map(({ name }) => name)).toEqual(["a", "b", "c", "plain"]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["another version", () => publisher.upload(filesOf("a", "second"))],
    ["a new skill", () => publisher.upload(filesOf("new", "first"))],
    ["a deletion", () => publisher.delete("a")],
    ["a purge", () => publisher.purge("a")],
    ["a purge of what was deleted, and a publication after it", () => again("d")],
    ["a rollback", () => publisher.upload(filesOf("a", "second")).then(() => publisher.rollback("a", "1"))],
    [
      "a publication by a process that knows nothing",
      async () => (await fresh()).upload(filesOf("b", "other")),
    ],
  ])("are completed by $0 since, in the next first listing", async (_, change) => {
    await change();
    const listed = await s3Repository(place()).list();
    expect(listed).toEqual(await byRecords());
  });

  it("do not make the second listing of a process: that one sees what other programs did to the records", async () => {
    const repository = s3Repository(place());
    await repository.list();
    for (const key of keysBelow("records/b/")) fake.objects.delete(key);
    expect((await repository.list()).skills.map(({ name }) => name)).toEqual(["a", "c", "plain"]);
  });

  it("are not used where a publisher that does not keep them opened the bucket, until cleanUp finds it old", async () => {
    await publisher.upload(filesOf("b", "by an older release"));
    for (const key of keysBelow("heads/changes/")) fake.objects.delete(key);
    fake.put(`${OWN}probe`, "An older release.");
    const listed = await s3Repository(place()).list();
    expect(listed).toEqual(await byRecords());
    await publisher.cleanUp();
    expect(keysBelow("probe")).toHaveLength(1);
    await publisher.cleanUp({ olderThanMs: 0 });
    expect(keysBelow("probe")).toEqual([]);
  });

  it("of no use are ignored, and the next ones replace them", async () => {
    const whole = fake.objects.get(packedKey())?.bytes.toString() ?? "";
    const [first = "", line = "", ...rest] = whole.trimEnd().split("\n");
    const expected = await byRecords();
    for (const text of [
      "",
      "{",
      "null\n",
      whole.slice(0, -40),
      [first, line, ...rest.slice(1)].join("\n"),
      [first, line, ...rest, line].join("\n"),
      [first, line, line, ...rest.slice(1)].join("\n"),
      whole.replace('"formatVersion":1', '"formatVersion":2'),
      whole.replace('"name":"b"', '"name":"../b"'),
      whole.replace('"folder":"b"', '"folder":"x"'),
      whole.replace('"path":"b"', '"path":"/etc"'),
      whole.replace('"number":1', '"number":-1'),
      whole.replace('"diagnostics":[]', '"diagnostics":[{"code":1}]'),
      whole.replace(/"frontmatter":\{/, '"frontmatter":[],"x":{'),
    ]) {
      expect(text).not.toBe(whole);
      fake.put(packedKey(), text);
      expect(await s3Repository(place()).list(), text.slice(0, 200)).toEqual(expected);
    }
    await publisher.cleanUp();
    expect(
      Buffer.from(fake.objects.get(packedKey())?.bytes ?? "")
        .toString()
        .split("\n"),
    ).toHaveLength(6);
    expect(await s3Repository(place()).list()).toEqual(expected);
  });

  it("that cannot be read are no failure of a listing, and a failing listing of records is one", async () => {
    const expected = await byRecords();
    fake.fault = ({ key }) =>
      key.startsWith(`${OWN}heads/`) ? { kind: "status", status: 403, code: "AccessDenied" } : undefined;
    expect(await s3Repository(place()).list()).toEqual(expected);
    fake.fault = () => ({ kind: "status", status: 403, code: "AccessDenied" });
    await failsWith(s3Repository(place()).list(), "BACKEND_FAILED");
  });
});

describe("a publisher", () => {
  it("packs the heads after 17 changes, and removes the changes that they have", async () => {
    for (let index = 0; index < 16; index++) await publisher.upload(filesOf("a", `text ${index}`));
    expect([keysBelow("heads/changes/").length, keysBelow("heads/packed/").length]).toEqual([16, 1]);
    await publisher.upload(filesOf("a", "last"));
    expect([keysBelow("heads/changes/").length, keysBelow("heads/packed/").length]).toEqual([0, 2]);
    expect(await s3Repository(place()).list()).toEqual(await byRecords());
  });

  it("that ends before its record or before it packs leaves a listing that is right", async () => {
    for (const [part, name] of [
      ["records/", "e"],
      ["heads/packed/", "f"],
    ] as const) {
      for (let index = 0; index < 16; index++) await publisher.upload(filesOf("a", `${part} ${index}`));
      fake.fault = ({ operation, key }) =>
        operation === "put" && key.startsWith(OWN + part)
          ? { kind: "status", status: 400, code: "Ended" }
          : undefined;
      await publisher.upload(filesOf(name, "text")).catch(() => undefined);
      fake.fault = () => undefined;
      const listed = await s3Repository(place()).list();
      expect(listed).toEqual(await byRecords());
      expect(listed.skills.some((skill) => skill.name === name)).toBe(name === "f");
    }
    await publisher.cleanUp({ olderThanMs: 0 });
    expect(keysBelow("heads/changes/")).toEqual([]);
  });

  it("loses no skill of another one, however many pack at the same time", async () => {
    const publishers = await Promise.all(Array.from({ length: 4 }, fresh));
    await Promise.all(
      publishers.map(async (one, at) => {
        for (let index = 0; index < 12; index++) await one.upload(filesOf(`p${at}-${index}`, "text"));
      }),
    );
    const listed = await s3Repository(place()).list();
    expect(listed.skills).toHaveLength(48 + 4);
    expect(listed).toEqual(await byRecords());
    expect(keysBelow("heads/packed/").length).toBeGreaterThan(0);
  });

  it("without the right to remove objects packs nothing, and publishes", async () => {
    fake.fault = ({ operation }) =>
      operation === "delete" ? { kind: "status", status: 403, code: "AccessDenied" } : undefined;
    for (let index = 0; index < 20; index++) await publisher.upload(filesOf("a", `text ${index}`));
    expect(keysBelow("heads/packed/")).toHaveLength(1);
    expect(await s3Repository(place()).list()).toEqual(await byRecords());
  });
});

function place() {
  return { client: fake.client, bucket: fake.bucket, prefix: PREFIX };
}

async function fresh(): Promise<WritableS3Repository> {
  return await openS3Repository(place());
}

async function again(name: string): Promise<void> {
  await publisher.purge(name);
  await publisher.upload(filesOf(name, "again"));
}

/** The listing where there are no packed heads. */
async function byRecords() {
  const kept = [...fake.objects];
  for (const key of keysBelow("heads/")) fake.objects.delete(key);
  const listing = await s3Repository(place()).list();
  fake.objects.clear();
  for (const [key, object] of kept) fake.objects.set(key, object);
  return listing;
}

function keysBelow(part: string): string[] {
  return [...fake.objects.keys()].filter((key) => key.startsWith(OWN + part)).sort();
}

function packedKey(): string {
  return keysBelow("heads/packed/")[0] ?? "";
}
