import { openArchive } from "@skillwright/archive";
import { skillMarkdown } from "@skillwright/contracts";
import type { SkillListing, SkillRepository } from "@skillwright/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type HttpRepositoryOptions, httpRepository } from "../src/index.js";
import { failure } from "./failure.js";
import { digestOf, INDEX, OLD_INDEX, publishedFiles, publishedIndex, SCHEMA } from "./published.js";
import { type WebServer, webServer } from "./web-server.js";

const CSV = skillMarkdown("csv");
const ENTRY = { name: "csv", type: "skill-md", description: "D.", url: "/csv", digest: digestOf(CSV) };

let server: WebServer;
beforeEach(async () => {
  server = await webServer({ "/csv": CSV });
});
afterEach(async () => await server.close());

describe("where an index is searched", () => {
  test("an address that ends in a slash means the index below it; the older location is tried second", async () => {
    for (const place of ["/", "/team/"]) {
      server.answers.length = 0;
      const old = publishedFiles({ csv: { "SKILL.md": CSV } });
      for (const [path, page] of Object.entries(old)) server.pages[place.slice(0, -1) + path] = page;
      expect(names(await opened({ url: server.origin + place }).list())).toEqual(["csv"]);
      const below = place.slice(0, -1);
      expect(server.answers.slice(0, 2)).toEqual([`404 ${below}${INDEX}`, `200 ${below}${OLD_INDEX}`]);
    }
  });

  test("STORE-15: if both indexes are missing, the error names both; any response other than not found is an error", async () => {
    const error = await failure(opened({ url: `${server.origin}/none/` }).list());
    expect(error).toMatchObject({ code: "BACKEND_FAILED", details: { status: 404 } });
    expect(error.message).toContain(".well-known/skills/index.json");
    server.pages = { ...publishedFiles({ csv: { "SKILL.md": CSV } }), [INDEX]: { status: 503 } };
    expect((await failure(opened().list())).details).toEqual({ status: 503 });
  });

  test("addresses in it are relative to its location after redirects", async () => {
    server.pages["/skills.json"] = { status: 301, headers: { location: "/deep/er/index.json" } };
    server.pages["/deep/er/index.json"] = index([{ ...ENTRY, url: "../csv" }]);
    server.pages["/deep/csv"] = CSV;
    expect(names(await opened({ url: `${server.origin}/skills.json` }).list())).toEqual(["csv"]);
  });
});

describe("content of an index", () => {
  test("an unknown $schema is not processed", async () => {
    server.pages[INDEX] = index([ENTRY], SCHEMA.replace("0.2.0", "0.3.0"));
    expect((await failure(opened().list())).code).toBe("UNSUPPORTED");
    expect(server.answers).toEqual([`200 ${INDEX}`]);
  });

  test.each(["../x", "a/b", "ü", "", "A", "a--b", "-a", "a".repeat(65), "con\n", 7, null])(
    "STORE-16: the name %j is refused as a broken entry that hides no other",
    async (name) => {
      for (const [place, page] of [
        [INDEX, index([{ ...ENTRY, name }, ENTRY])],
        [
          OLD_INDEX,
          JSON.stringify({
            skills: [
              { name, files: ["SKILL.md"] },
              { name: "csv", files: ["a"] },
            ],
          }),
        ],
      ] as const) {
        server.pages = { "/csv": CSV, [place]: page };
        const { broken } = await opened().list();
        expect([broken.at(-1)?.path, broken.at(-1)?.diagnostics[0]?.code]).toEqual([
          "skills[0]",
          "index.name",
        ]);
        expect(JSON.stringify(server.answers)).not.toContain("..");
      }
      const repository = opened();
      if (typeof name === "string")
        expect((await failure(repository.load(name))).code).toBe("SKILL_NOT_FOUND");
      expect((await failure(repository.load("skills[0]"))).code).toBe("SKILL_INVALID");
    },
  );

  test("entries of unknown type are left out and reported, other faults are broken entries with their reasons", async () => {
    const name = (position: number): string => `n${position}`;
    const faults = [
      { ...ENTRY, name: name(0), digest: undefined },
      { ...ENTRY, name: name(1), digest: ENTRY.digest.toUpperCase() },
      { ...ENTRY, name: name(2), url: "http://[" },
      { ...ENTRY, name: name(3), url: undefined },
      "text",
      ENTRY,
      ENTRY,
      { ...ENTRY, name: name(7), type: "git" },
    ];
    server.pages[INDEX] = index(faults);
    const { skills, broken, diagnostics } = await opened().list();
    expect(skills.map(({ path }) => path)).toEqual(["csv"]);
    expect(broken.map(({ path, diagnostics }) => `${path} ${diagnostics[0]?.code}`)).toEqual([
      "skills[0] index.digest",
      "skills[1] index.digest",
      "skills[2] index.url",
      "skills[3] index.url",
      "skills[4] index.entry",
      "skills[6] index.twice",
    ]);
    expect(diagnostics.map(({ code, path }) => `${code} ${path}`)).toEqual(["index.type skills[7]"]);
  });

  test.each([["no list"], ["../x"], ["/etc/passwd"], [["SKILL.md", "../x"]], [["a", 7]], [["a\\b"]]])(
    "files of version 0.1 that are %j are refused before a request is sent",
    async (files) => {
      server.pages[OLD_INDEX] = JSON.stringify({ skills: [{ name: "csv", files }] });
      expect((await opened().list()).broken[0]?.diagnostics[0]?.code).toBe("index.files");
      expect(server.answers).toHaveLength(2);
    },
  );

  test("STORE-13: bytes with another digest are not used; name and both digests are reported, the query is not", async () => {
    const other = skillMarkdown("csv", { body: "Other." });
    server.pages["/csv"] = other;
    const good = skillMarkdown("good");
    server.pages["/good"] = good;
    server.pages[INDEX] = index([
      { ...ENTRY, url: "/csv?token=s3cret" },
      { ...ENTRY, name: "good", url: "/good", digest: digestOf(good) },
    ]);
    const repository = opened();
    const listing = await repository.list();
    expect(listing.skills.map(({ path }) => path)).toEqual(["good"]);
    const told = listing.broken[0]?.diagnostics[0];
    expect(told?.code).toBe("fetch.digest-mismatch");
    const error = await failure(repository.load("csv"));
    expect(error).toMatchObject({
      code: "DIGEST_MISMATCH",
      details: { expected: ENTRY.digest, actual: digestOf(other) },
    });
    for (const part of ['"csv"', ENTRY.digest, digestOf(other)]) expect(error.message).toContain(part);
    expect(JSON.stringify([error.message, listing])).not.toContain("s3cret");
    // It is requested again, since it may be repaired by then.
    server.pages["/csv"] = CSV;
    expect((await repository.load("csv")).name).toBe("csv");
    expect((await repository.list()).broken).toEqual([]);
  });

  test("an entry cannot take the name of another; once that entry has given it up, it can", async () => {
    const thief = skillMarkdown("csv", { body: "Stolen." });
    server.pages["/a-thief"] = thief;
    const entry = { ...ENTRY, name: "a-thief", url: "/a-thief", digest: digestOf(thief) };
    server.pages[INDEX] = index([entry, ENTRY]);
    const repository = opened();
    expect((await repository.load("csv")).path).toBe("csv");
    expect(server.answers).not.toContain("200 /a-thief");
    const { skills, broken } = await repository.list();
    expect(skills.map(({ path }) => path)).toEqual(["csv"]);
    expect(broken.map(({ path, diagnostics }) => [path, diagnostics[0]?.code])).toEqual([
      ["a-thief", "index.name-taken"],
    ]);
    expect((await failure(repository.load("a-thief"))).code).toBe("SKILL_INVALID");
    const other = skillMarkdown("other");
    server.pages["/csv"] = other;
    server.pages[INDEX] = index([entry, { ...ENTRY, digest: digestOf(other) }]);
    await repository.refresh();
    expect((await repository.load("csv")).path).toBe("a-thief");
  });

  test("skills inside one archive may share a name with its own skill, as in folders: the first path wins", async () => {
    const inner = { "SKILL.md": skillMarkdown("csv", { body: "Inner." }) };
    server.pages = await publishedIndex({ csv: { "SKILL.md": CSV }, "csv/inner": inner });
    const repository = opened();
    expect((await repository.list()).skills.map(({ path }) => path)).toEqual(["csv", "csv/inner"]);
    expect([(await repository.load("csv")).path, (await repository.load("csv/inner")).body]).toEqual([
      "csv",
      "Inner.",
    ]);
  });

  test("an archive without a configured opener is a broken entry, and the error names the remedy", async () => {
    server.pages = await publishedIndex({ csv: { "SKILL.md": CSV, "a.txt": "a" } });
    const repository = opened({ openArchive: undefined });
    expect((await repository.list()).broken.map(({ path }) => path)).toEqual(["csv"]);
    expect(await failure(repository.load("csv"))).toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("@skillwright/archive"),
    });
  });

  test("entries beyond the limit are left out, and reported", async () => {
    server.pages[INDEX] = index([ENTRY, { ...ENTRY, name: "b" }, { ...ENTRY, name: "c" }]);
    const { skills, diagnostics } = await opened({ limits: { entries: 1 } }).list();
    expect(skills).toHaveLength(1);
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      expect.stringMatching(/index\.cut .*2 of 3/),
    ]);
  });

  test("too large an index is refused, at its address and at another one", async () => {
    server.pages[INDEX] = server.pages["/index"] = index([{ ...ENTRY, more: "x".repeat(5000) }]);
    for (const place of ["/", "/index"]) {
      const repository = opened({ url: server.origin + place, limits: { indexBytes: 5000 } });
      expect((await failure(repository.list())).code).toBe("LIMIT_EXCEEDED");
    }
  });
});

function index(skills: readonly unknown[], $schema = SCHEMA): string {
  return JSON.stringify({ $schema, skills });
}

function names({ skills }: SkillListing): string[] {
  return skills.map(({ name }) => name);
}

function opened(options: Partial<HttpRepositoryOptions> = {}): SkillRepository {
  return httpRepository({
    url: `${server.origin}/`,
    openArchive,
    allowHttp: true,
    allowPrivate: true,
    ...options,
  });
}
