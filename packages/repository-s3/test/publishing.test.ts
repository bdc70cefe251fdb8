import { failsWith, skillMarkdown } from "@skillwright/contracts";
import { type Closable, readBytes, readText, type WritableSkillRepository } from "@skillwright/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openS3Repository, s3Repository, type WritableS3Repository } from "../src/index.js";
import type { FakeS3 } from "./fake-s3/fake-s3.js";
import { fakeBucket, PREFIX } from "./fake-subject.js";
import { filesOf, wholeDigest } from "./whole-skills.js";

const HOUR_MS = 3_600_000;
const RECORDS = `${PREFIX}/.skillwright/records/`;
const FILES = `${PREFIX}/.skillwright/files/`;

let fake: FakeS3;
let repository: WritableS3Repository;
beforeEach(async () => {
  fake = await fakeBucket({ "group/plain": { "SKILL.md": skillMarkdown("plain"), "a.md": "a" } });
  repository = await openS3Repository(place());
});
afterEach(async () => await fake.close());

describe("a published skill", () => {
  it("hides plain folders of its name and at its place, with a diagnostic; a deleted skill hides them too, a purged one does not", async () => {
    fake.put(`${PREFIX}/other/SKILL.md`, skillMarkdown("plain"));
    await repository.upload(filesOf("plain", "published"));
    const hidden = async (): Promise<unknown> => {
      const { skills, diagnostics } = await s3Repository(place()).list();
      return [skills.map(({ path }) => path), diagnostics.map(({ code, path }) => `${code} ${path}`)];
    };
    const told = ["publication.hides group/plain", "publication.hides other"];
    expect(await hidden()).toEqual([["group/plain"], told]);
    await repository.delete("plain");
    expect(await hidden()).toEqual([[], told]);
    await repository.purge("plain");
    expect(await hidden()).toEqual([["group/plain", "other"], []]);
    expect(fake.objects.has(`${PREFIX}/group/plain/a.md`)).toBe(true);
  });

  it("is seen by others at once, also where they loaded a plain skill of that name before", async () => {
    const reader = s3Repository(place());
    expect((await reader.load("plain")).version).toBeUndefined();
    const { digest } = await repository.upload(filesOf("plain", "published"));
    expect((await reader.load("plain")).digest).toBe(digest);
    await repository.delete("plain");
    await failsWith(reader.load("plain"), "SKILL_NOT_FOUND");
  });

  it("a file whose bytes differ from the published ones fails with DIGEST_MISMATCH, read whole or streamed", async () => {
    const large = new Uint8Array(2_000_000).fill(7);
    await repository.upload([...filesOf("one", "text"), { path: "large.bin", content: large }]);
    for (const key of fake.objects.keys()) if (key.startsWith(FILES)) fake.put(key, "something else");
    const reader = s3Repository(place());
    await failsWith(reader.load("one"), "DIGEST_MISMATCH");
    await failsWith(readBytes(await reader.open("one", "large.bin"), 1e7), "DIGEST_MISMATCH");
    const read = await reader.reader?.("one");
    await failsWith((async () => await read?.("note.md"))(), "DIGEST_MISMATCH");
  });

  it("a skill with a damaged record is broken, hides no other, and is repaired by the next upload", async () => {
    await repository.upload(filesOf("one", "first"));
    await repository.upload(filesOf("two", "first"));
    const key = [...fake.objects.keys()].find((each) => each.startsWith(`${RECORDS}one/`)) ?? "";
    const { files, ...rest } = JSON.parse(String(fake.objects.get(key)?.bytes));
    for (const text of [
      "{",
      "[]",
      "null",
      JSON.stringify(rest),
      JSON.stringify({ ...rest, files: [{ ...files[0], path: "../x" }] }),
    ]) {
      fake.put(key, text);
      const { skills, broken } = await s3Repository(place()).list();
      expect([skills.map(({ name }) => name), broken.map(({ path }) => path)]).toEqual([
        ["plain", "two"],
        ["one"],
      ]);
      await failsWith(s3Repository(place()).load("one"), "SKILL_INVALID");
    }
    const { digest } = await repository.upload(filesOf("one", "second"));
    expect(await wholeDigest(s3Repository(place()), "one")).toBe(digest);
  });

  it("can be rolled back, by number or digest, as a version of its own", async () => {
    const first = await repository.upload(filesOf("one", "first"));
    await repository.upload(filesOf("one", "second"));
    const back = await repository.rollback("one", "1");
    expect([back.digest, back.version]).toEqual([first.digest, "3"]);
    expect((await repository.rollback("one", first.digest)).version).toBe("3");
    expect((await repository.versions("one")).map(({ version }) => version)).toEqual(["3", "2", "1"]);
    await failsWith(repository.rollback("one", "9"), "SKILL_NOT_FOUND");
    await repository.delete("one");
    expect((await repository.rollback("one", "2")).version).toBe("5");
    expect(await readText(await repository.open("one", "note.md"), 100)).toBe("second");
  });

  it("keeps its older versions; none is active besides the newest, and the list shows one (EDIT-14)", async () => {
    await repository.upload(filesOf("one", "first"));
    await repository.upload(filesOf("one", "second"));
    const { skills } = await repository.list();
    expect(skills.filter(({ name }) => name === "one")).toHaveLength(1);
    expect((await repository.load("one")).version).toBe("2");
    expect(await repository.delete("one@1")).toBe(false);
    expect((await repository.load("one")).version).toBe("2");
  });

  it("that is deleted while it is active has no active version until a caller names one (EDIT-15)", async () => {
    await repository.upload(filesOf("one", "first"));
    await repository.upload(filesOf("one", "second"));
    await repository.delete("one");
    await failsWith(repository.load("one"), "SKILL_NOT_FOUND");
    expect((await repository.list()).skills.map(({ name }) => name)).toEqual(["plain"]);
    await repository.rollback("one", "1");
    expect(await readText(await repository.open("one", "note.md"), 100)).toBe("first");
  });

  it("that is purged leaves no file and no version, and its numbers are not reused", async () => {
    await repository.upload(filesOf("one", "first"));
    await repository.upload(filesOf("one", "second"));
    expect(await repository.purge("one")).toBe(true);
    expect([await repository.purge("one"), await repository.purge("nobody")]).toEqual([false, false]);
    expect([...fake.objects.keys()].filter((key) => key.startsWith(FILES))).toEqual([]);
    expect(await repository.versions("one")).toEqual([]);
    await failsWith(repository.load("one", { version: "1" }), "SKILL_NOT_FOUND");
    expect((await repository.upload(filesOf("one", "third"))).version).toBe("4");
  });
});

describe("leftovers", () => {
  it("are removed when they are older than a day by the server's clock, however far it differs from the local one", async () => {
    await repository.upload(filesOf("one", "text"));
    const files = () => [...fake.objects.keys()].filter((key) => key.startsWith(FILES)).sort();
    const named = files();
    for (const clock of [HOUR_MS * 24 * 365, -HOUR_MS * 24 * 365, HOUR_MS]) {
      fake.clock = clock - 25 * HOUR_MS;
      fake.put(`${FILES}one/old/0`, "old");
      fake.put(`${FILES}never-published/old/0`, "old");
      fake.clock = clock - 23 * HOUR_MS;
      fake.put(`${FILES}one/young/0`, "young");
      fake.clock = clock;
      expect(await repository.cleanUp()).toEqual({ objects: 2, uploads: 0 });
      expect(fake.objects.delete(`${FILES}one/young/0`)).toBe(true);
      expect(files()).toEqual(named);
    }
    expect(await wholeDigest(repository, "one")).toBeDefined();
  });

  it("leftovers of an interrupted purge are invisible, and removed at any age", async () => {
    for (const text of ["first", "second"]) await repository.upload(filesOf("one", text));
    let deletions = 0;
    fake.fault = ({ operation }) =>
      operation === "delete" && deletions++ > 1
        ? { kind: "status", status: 403, code: "AccessDenied" }
        : undefined;
    expect((await failsWith(repository.purge("one"), "BACKEND_FAILED")).message).toContain("s3:DeleteObject");
    fake.fault = () => undefined;
    expect(await repository.versions("one")).toEqual([]);
    const own = (): string[] =>
      [...fake.objects.keys()].filter((key) => key.startsWith(FILES) || key.startsWith(RECORDS));
    const left = own().length;
    expect(left).toBeGreaterThan(1);
    expect((await repository.cleanUp()).objects).toBeGreaterThanOrEqual(left - 1);
    expect(own()).toHaveLength(1);
  });

  it("files of a skill with a damaged record are kept", async () => {
    await repository.upload(filesOf("one", "text"));
    const key = [...fake.objects.keys()].find((each) => each.startsWith(RECORDS)) ?? "";
    fake.put(key, "damaged");
    const before = fake.objects.size;
    await (await openS3Repository(place())).cleanUp({ olderThanMs: 0 });
    expect(fake.objects.size).toBe(before);
  });
});

describe("clocks", () => {
  it.each([HOUR_MS, -HOUR_MS])(
    "%i ms apart: versions have the server's time, and come in their order",
    async (clock) => {
      fake.clock = clock;
      for (const text of ["first", "second"]) await repository.upload(filesOf("one", text));
      const versions = await repository.versions("one");
      expect(versions.map(({ version }) => version)).toEqual(["2", "1"]);
      for (const { createdAt } of versions)
        expect(Math.abs(Date.parse(createdAt) - (Date.now() + clock))).toBeLessThan(HOUR_MS / 2);
    },
  );
});

describe("a server that ignores If-None-Match", () => {
  it.each(["ignored", "refused"] as const)("(%s) is not published to without a lock", async (absence) => {
    fake.absence = absence;
    const error = await failsWith(openS3Repository(place()), "UNSUPPORTED");
    expect(error.message).toContain("lock");
  });

  it.each(["ignored", "refused"] as const)(
    "(%s) is published to with a lock, which one publisher holds at a time",
    async (absence) => {
      fake.absence = absence;
      const { lock, most } = oneAtATime();
      const publishers = await Promise.all([1, 2].map(() => openS3Repository({ ...place(), lock })));
      const uploads = publishers.flatMap((publisher, who) =>
        Array.from({ length: 5 }, (_, round) => publisher.upload(filesOf("one", `${who} ${round}`))),
      );
      await Promise.all(uploads);
      expect(await repository.versions("one")).toHaveLength(10);
      expect(most()).toBe(1);
    },
  );
});

it.each([
  ["33261", true],
  ["33188", false],
  ["100755", true],
  ["0100644", false],
  ["755", true],
  ["0644", false],
  ["rwxr-xr-x", false],
  ["-1", false],
])("the note mode=%s of a plain object means executable: %s", async (mode, executable) => {
  fake.put(`${PREFIX}/group/plain/run.sh`, "#!/bin/sh\n", { mode });
  const { files } = (await repository.load("plain")).manifest;
  expect(files.find(({ path }) => path === "run.sh")?.executable).toBe(executable);
});

it("a read-only repository has no methods that write", () => {
  const reader: Partial<WritableSkillRepository> = s3Repository(place());
  expect([reader.upload, reader.delete]).toEqual([undefined, undefined]);
});

function oneAtATime() {
  let turn: Promise<unknown> = Promise.resolve();
  let held = 0;
  let most = 0;
  const lock = async (name: string): Promise<Closable> => {
    expect(name).toBe("one");
    const before = turn;
    let release: () => void = () => undefined;
    turn = new Promise<void>((resolve) => {
      release = resolve;
    });
    await before;
    most = Math.max(most, ++held);
    const close = async (): Promise<void> => {
      held--;
      release();
    };
    return { close, [Symbol.asyncDispose]: close };
  };
  return { lock, most: () => most };
}

function place() {
  return { client: fake.client, bucket: fake.bucket, prefix: PREFIX };
}
