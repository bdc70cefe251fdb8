import { openArchive } from "@skillwright/archive";
import { skillMarkdown } from "@skillwright/contracts";
import type { SkillListing, SkillRepository } from "@skillwright/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type HttpRepositoryOptions, httpRepository } from "../src/index.js";
import { failure } from "./failure.js";
import { archived, digestOf, INDEX, OLD_INDEX, publishedFiles, publishedIndex } from "./published.js";
import { type WebServer, webServer } from "./web-server.js";

const CSV = skillMarkdown("csv");

let server: WebServer;
beforeEach(async () => {
  server = await webServer();
});
afterEach(async () => await server.close());

describe("number of requests", () => {
  const SEED = {
    one: { "SKILL.md": skillMarkdown("one"), "a.txt": "1" },
    two: { "SKILL.md": skillMarkdown("two") },
  };

  test("none before the first call; one of many skills is fetched alone; the rest once, by the listing", async () => {
    server.pages = await publishedIndex(SEED);
    const repository = opened();
    expect(server.answers).toEqual([]);
    await repository.load("one");
    const one = "200 /.well-known/agent-skills/one.tar.gz";
    expect(server.answers).toEqual([`200 ${INDEX}`, one]);
    await Promise.all([repository.list(), repository.list()]);
    await repository.open("one", "a.txt");
    await repository.list();
    expect(server.answers).toEqual([`200 ${INDEX}`, one, "200 /.well-known/agent-skills/two/SKILL.md"]);
  });

  test("a refresh without a change is one request without a body in the answer; with a change, only what changed is fetched", async () => {
    server.pages = await publishedIndex(SEED);
    const repository = opened();
    const before = await repository.list();
    server.answers.length = 0;
    await repository.refresh();
    expect(await repository.list()).toEqual(before);
    expect(server.answers).toEqual([`304 ${INDEX}`]);
    server.pages = await publishedIndex({
      ...SEED,
      two: { "SKILL.md": skillMarkdown("two", { body: "2" }) },
    });
    server.answers.length = 0;
    await repository.refresh();
    expect((await repository.load("two")).body).toBe("2");
    expect(names(await repository.list())).toEqual(["one", "two"]);
    expect(server.answers).toEqual([`200 ${INDEX}`, "200 /.well-known/agent-skills/two/SKILL.md"]);
  });

  test("files of version 0.1 are requested again at a refresh, and transferred only where they changed", async () => {
    server.pages = publishedFiles(SEED);
    const repository = opened();
    await repository.list();
    const changed = { ...SEED, one: { ...SEED.one, "a.txt": "changed" } };
    server.pages = publishedFiles(changed);
    server.answers.length = 0;
    await repository.refresh();
    await repository.list();
    expect(server.answers.slice(1).sort()).toEqual([
      "200 /.well-known/skills/one/a.txt",
      `304 ${OLD_INDEX}`,
      "304 /.well-known/skills/one/SKILL.md",
      "304 /.well-known/skills/two/SKILL.md",
    ]);
  });

  test("an answer with a date and without an ETag is requested again by its date", async () => {
    const date = "Tue, 03 Nov 2026 10:00:00 GMT";
    server.pages["/csv.md"] = {
      body: CSV,
      headers: { "last-modified": date, "content-type": "text/markdown" },
    };
    const repository = opened({ url: `${server.origin}/csv.md` });
    await repository.list();
    server.pages["/csv.md"] = { status: 304 };
    await repository.refresh();
    expect(server.requests.map(({ headers }) => headers["if-modified-since"])).toEqual([undefined, date]);
    expect(names(await repository.list())).toEqual(["csv"]);
  });

  test("files over the limit are evicted and fetched again on request, with their digest checked again", async () => {
    server.pages = await publishedIndex(SEED);
    const repository = opened({ limits: { keptBytes: 1 } });
    await repository.list();
    await repository.load("two");
    server.answers.length = 0;
    await repository.load("one");
    await repository.load("two");
    await repository.load("two");
    expect(server.answers).toHaveLength(2);
    server.pages["/.well-known/agent-skills/one.tar.gz"] = await archived({ "SKILL.md": CSV }, "tar.gz");
    expect((await failure(repository.load("one"))).code).toBe("DIGEST_MISMATCH");
    expect(names(await repository.list())).toEqual(["one", "two"]);
  });

  test("evicted files of version 0.1 that changed since the listing are not taken for the old ones", async () => {
    server.pages = publishedFiles(SEED);
    const repository = opened({ limits: { keptBytes: 1 } });
    await repository.list();
    await repository.load("two");
    server.pages = publishedFiles({ ...SEED, one: { ...SEED.one, "a.txt": "changed" } });
    const error = await failure(repository.open("one", "a.txt"));
    expect([error.code, error.message]).toEqual(["DIGEST_MISMATCH", expect.stringContaining("Refresh")]);
    await repository.refresh();
    expect((await repository.load("one")).manifest.files.map(({ size }) => size)).toContain("changed".length);
  });
});

describe("an unreachable server", () => {
  const SEED = { one: { "SKILL.md": skillMarkdown("one") } };

  test("a refresh that fails is an error and keeps the previous state", async () => {
    server.pages = await publishedIndex(SEED);
    const repository = opened();
    const before = await repository.list();
    for (const page of [{ status: 500 }, "<html>", "{}"]) {
      server.pages[INDEX] = page;
      await failure(repository.refresh());
      expect(await repository.list()).toEqual(before);
      expect((await repository.load("one")).name).toBe("one");
    }
  });

  test("a skill whose new files cannot be fetched keeps its previous state, and this is reported; a wrong digest makes it broken", async () => {
    server.pages = await publishedIndex(SEED);
    const repository = opened();
    await repository.list();
    const place = "/.well-known/agent-skills/one/SKILL.md";
    const next = await publishedIndex({ one: { "SKILL.md": skillMarkdown("one", { body: "New." }) } });
    server.pages = { ...next, [place]: { status: 503 } };
    for (let round = 0; round < 2; round++) {
      await repository.refresh();
      const { skills, diagnostics } = await repository.list();
      expect([skills.length, diagnostics.map(({ code, path }) => `${code} ${path}`)]).toEqual([
        1,
        ["fetch.stale one"],
      ]);
      expect((await repository.load("one")).body).toBe("# one\n\nUse it well.");
    }
    server.pages = { ...next, [place]: "something else" };
    await repository.refresh();
    expect((await repository.list()).broken[0]?.diagnostics[0]?.code).toBe("fetch.digest-mismatch");
    server.pages = next;
    await repository.refresh();
    expect((await repository.load("one")).body).toBe("New.");
  });

  test("a skill that was never fetched is a broken one until it is", async () => {
    server.pages = await publishedIndex(SEED);
    const { [INDEX]: onlyIndex = "" } = server.pages;
    const all = server.pages;
    server.pages = { [INDEX]: onlyIndex };
    const repository = opened();
    expect((await repository.list()).broken[0]?.diagnostics[0]?.code).toBe("fetch.backend-failed");
    expect((await failure(repository.load("one"))).details).toEqual({ status: 404 });
    server.pages = all;
    await repository.refresh();
    expect(names(await repository.list())).toEqual(["one"]);
  });
});

test("the version of a skill is its digest", async () => {
  server.pages = await publishedIndex({ csv: { "SKILL.md": CSV } });
  const repository = opened();
  const { digest } = await repository.load("csv");
  expect((await repository.load("csv", { version: digest })).digest).toBe(digest);
  expect((await failure(repository.load("csv", { version: digestOf(CSV) }))).code).toBe("SKILL_NOT_FOUND");
});

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
