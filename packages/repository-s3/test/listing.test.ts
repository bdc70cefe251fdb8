import { failsWith, skillMarkdown } from "@skillwright/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openS3Repository, s3Repository } from "../src/index.js";
import type { FakeS3 } from "./fake-s3/fake-s3.js";
import { listXml } from "./fake-s3/list-answer.js";
import { fakeBucket, PREFIX } from "./fake-subject.js";
import { filesOf } from "./whole-skills.js";

let fake: FakeS3;
beforeEach(async () => {
  fake = await fakeBucket({ demo: { "SKILL.md": skillMarkdown("demo"), "a.md": "a" } });
});
afterEach(async () => await fake.close());

describe("keys (STORE-01)", () => {
  it("that are placeholders are not files; those with empty parts and dots are left out and reported", async () => {
    for (const key of ["/etc/passwd", "demo/", "demo//a", "demo/../b", "", "demo/deep/"])
      fake.put(`${PREFIX}/${key}`, "");
    fake.put(`${PREFIX}//etc/SKILL.md`, skillMarkdown("etc"));
    fake.put(`${PREFIX}/demo/a\u0001b`, "control");
    const repository = s3Repository(place());
    const { skills, broken, diagnostics } = await repository.list();
    expect([skills.map(({ path }) => path), broken]).toEqual([["demo"], []]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["scan.key"]);
    expect(skills[0]?.diagnostics.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "file.name ",
      "file.name ..",
      "file.name a\\u{1}b",
    ]);
    const { manifest } = await repository.load("demo");
    expect(manifest.files.map(({ path }) => path)).toEqual(["SKILL.md", "a.md"]);
  });

  it("that make a name both a file and a folder give one of them, and a diagnostic", async () => {
    fake.put(`${PREFIX}/demo/a.md/below`, "below");
    const [summary] = (await s3Repository(place()).list()).skills;
    expect(summary?.diagnostics.map(({ code }) => code)).toEqual(["file.twice"]);
  });

  it("hidden folders, node_modules and too deep ones contain no skills; plus and space are kept unchanged", async () => {
    for (const folder of [".hidden", "node_modules/x", "1/2/3/4/5/6/7", "a+b c"])
      fake.put(`${PREFIX}/${folder}/SKILL.md`, skillMarkdown("x"));
    const { skills, diagnostics } = await s3Repository(place()).list();
    expect(skills.map(({ path }) => path)).toEqual(["demo", "a+b c"]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["scan.depth"]);
  });

  it("the prefix itself may be a skill, and prefixes that are not paths are refused immediately", async () => {
    const repository = s3Repository({ ...place(), prefix: `${PREFIX}/demo/` });
    expect((await repository.list()).skills.map(({ path }) => path)).toEqual(["."]);
    expect((await repository.load("demo")).manifest.files).toHaveLength(2);
    for (const prefix of ["/x", "a//b", "../x", "a\\b"])
      await failsWith((async () => s3Repository({ ...place(), prefix }))(), "CONFIG_INVALID", prefix);
  });
});

describe("installed packages in a skill", () => {
  it("are not part of it and are reported once, and an option says which directories are left out", async () => {
    for (let index = 0; index < 600; index++) fake.put(`${PREFIX}/demo/.venv/lib/f${index}.py`, "x = 1\n");
    const repository = s3Repository(place());
    const { skills, broken } = await repository.list();
    expect([skills.length, broken]).toEqual([1, []]);
    expect(skills[0]?.diagnostics).toMatchObject([
      { code: "file.installed", severity: "info", path: ".venv" },
    ]);
    expect((await repository.load("demo")).manifest.files.map(({ path }) => path)).toEqual([
      "SKILL.md",
      "a.md",
    ]);
    await failsWith(repository.open("demo", ".venv/lib/f1.py"), "FILE_NOT_FOUND");

    const unlimited = await s3Repository({ ...place(), leaveOut: [] }).list();
    expect(unlimited.broken[0]?.diagnostics[0]?.code).toBe("skill.too-many-files");
    const whole = s3Repository({ ...place(), leaveOut: [], limits: { files: 1000 } });
    expect((await whole.load("demo")).manifest.files).toHaveLength(602);
    const small = await s3Repository({ ...place(), limits: { bytes: 10 } }).list();
    expect(small.broken[0]?.diagnostics[0]?.code).toBe("skill.too-large");
  });

  it("count in uploads too, with the configured limits", async () => {
    const more = Array.from({ length: 600 }, (_, n) => ({ path: `f${n}`, content: "x" }));
    const files = [...filesOf("many", "text"), ...more];
    await failsWith((await openS3Repository(place())).upload(files), "LIMIT_EXCEEDED");
    const roomy = await openS3Repository({ ...place(), limits: { files: 1000 } });
    expect((await roomy.upload(files)).manifest.files).toHaveLength(604);
  });
});

describe("a listing that does not end (STORE-02)", () => {
  const object = { bytes: Buffer.from("x"), etag: '"x"', metadata: {}, lastModified: 0 };

  it("a listing that returns the same token again is refused", async () => {
    fake.listing = (prefix) => listXml([{ key: `${prefix}x`, object }], "again");
    await failsWith(
      s3Repository(place())
        .refresh()
        .then(async () => await s3Repository(place()).list()),
      "LIMIT_EXCEEDED",
    );
    expect(fake.requests.length).toBeLessThan(10);
  });

  it("a listing is refused at the limit of pages or of objects", async () => {
    let page = 0;
    fake.listing = (prefix) => listXml([{ key: `${prefix}x/${page}`, object }], String(page++));
    await failsWith(s3Repository({ ...place(), limits: { pages: 5 } }).list(), "LIMIT_EXCEEDED");
    await failsWith(s3Repository({ ...place(), limits: { objects: 5 } }).list(), "LIMIT_EXCEEDED");
    expect(fake.requests.length).toBeLessThan(40);
  });
});

describe("requests", () => {
  it("cold, without packed heads: the listings and every SKILL.md and newest record; warm: the listings; after a change: what changed", async () => {
    const publisher = await openS3Repository(place());
    for (const text of ["first", "second"])
      for (const name of ["p1", "p2", "p3"]) await publisher.upload(filesOf(name, text));
    for (let index = 0; index < 1500; index++) fake.put(`${PREFIX}/.skillwright/files/p1/x/${index}`, "");
    for (const name of ["a", "b"]) fake.put(`${PREFIX}/${name}/SKILL.md`, skillMarkdown(name));
    const repository = s3Repository(place());
    // The records; the folders up to the repository's own keys, and those after them.
    // Before them, whether there are packed heads that can be used.
    expect(await asked(() => repository.list())).toEqual({ list: 5, get: 6 });
    expect(await asked(() => repository.list())).toEqual({ list: 3 });
    fake.put(`${PREFIX}/a/SKILL.md`, skillMarkdown("a", { description: "Another." }));
    await publisher.upload(filesOf("p2", "third"));
    expect(await asked(() => repository.list())).toEqual({ list: 3, get: 2 });
  });

  it("a load of a published skill sends two reads the first time, and a listing of one key afterwards", async () => {
    const publisher = await openS3Repository(place());
    await publisher.upload(filesOf("one", "text"));
    const repository = s3Repository(place());
    expect(await asked(() => repository.load("one"))).toEqual({ list: 1, get: 2 });
    expect(await asked(() => repository.load("one"))).toEqual({ list: 1 });
  });

  it("a load of a plain skill reads each file once, and only lists afterwards", async () => {
    const repository = s3Repository(place());
    await repository.list();
    expect(await asked(() => repository.load("demo"))).toEqual({ list: 2, get: 2 });
    expect(await asked(() => repository.load("demo"))).toEqual({ list: 2 });
  });

  it("a reader reads every file once, and no file that was just loaded", async () => {
    const files = Array.from({ length: 50 }, (_, index) => ({
      path: `${index}.md`,
      content: `file ${index}`,
    }));
    const publisher = await openS3Repository(place());
    await publisher.upload([...filesOf("many", "text"), ...files]);
    const repository = s3Repository(place());
    const { manifest } = await repository.load("many");
    const read = async (): Promise<void> => {
      const reader = await repository.reader?.("many");
      for (const { path } of manifest.files) await reader?.(path);
    };
    expect(await asked(read)).toEqual({ list: 1, get: 53 });
    expect(await asked(read)).toEqual({ list: 1 });
  });

  it("a publish reads the record, writes the new files, the change and the record, and counts the changes", async () => {
    const publisher = await openS3Repository(place());
    expect(await asked(() => publisher.upload(filesOf("one", "first")))).toEqual({ list: 4, get: 1, put: 6 });
    expect(await asked(() => publisher.upload(filesOf("one", "second")))).toEqual({
      list: 2,
      get: 1,
      put: 5,
    });
    expect(await asked(() => publisher.upload(filesOf("one", "second")))).toEqual({ list: 1, get: 2 });
    expect(await asked(() => publisher.delete("one"))).toEqual({ list: 2, put: 2 });
  });

  it("opening to publish sends one request where the probe exists, two where it does not", async () => {
    expect(await asked(() => openS3Repository(place()))).toEqual({ put: 2 });
    expect(await asked(() => openS3Repository(place()))).toEqual({ put: 1 });
  });

  async function asked(work: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
    const before = fake.requests.length;
    await work();
    const counts: Record<string, number> = {};
    for (const { operation } of fake.requests.slice(before)) counts[operation] = (counts[operation] ?? 0) + 1;
    return counts;
  }
});

function place() {
  return { client: fake.client, bucket: fake.bucket, prefix: PREFIX };
}
