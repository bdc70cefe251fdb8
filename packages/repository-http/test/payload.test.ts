import { openArchive } from "@skillwright/archive";
import { skillMarkdown } from "@skillwright/contracts";
import { byteStream, readText, type SkillRepository } from "@skillwright/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ArchiveOpener } from "../src/index.js";
import { type HttpRepositoryOptions, httpRepository } from "../src/index.js";
import { failure } from "./failure.js";
import { archived, digestOf } from "./published.js";
import { tarGz, zip } from "./raw-archives.js";
import { type WebServer, webServer } from "./web-server.js";

const CSV = skillMarkdown("csv");

let server: WebServer;
beforeEach(async () => {
  server = await webServer();
});
afterEach(async () => await server.close());

describe("content of an address", () => {
  test.each([
    ["/csv", "text/markdown; charset=utf-8", CSV],
    ["/csv", "", CSV],
    ["/csv.zip", "text/plain", CSV],
    ["/csv.md", "application/octet-stream", CSV],
    ["/csv", "TEXT/X-Markdown", `\ufeff${CSV}`],
  ])("a SKILL.md at %s of the type %j", async (path, type, body) => {
    serve(path, body, type);
    expect((await opened(path).list()).skills.map(({ name, path }) => [name, path])).toEqual([
      ["csv", "csv"],
    ]);
  });

  test.each(["zip", "tar.gz"] as const)("an archive, %s, whatever its name", async (format) => {
    const bytes = await archived({ "SKILL.md": CSV, "a.txt": "a" }, format);
    for (const type of ["text/html", "text/markdown", ""]) {
      serve("/csv.md", bytes, type);
      const repository = opened("/csv.md", { digest: digestOf(bytes) });
      expect(await readText(await repository.open("csv", "a.txt"), 10)).toBe("a");
    }
  });

  test.each([
    ["/csv.zip", "text/html", "<!doctype html><title>Sign in</title>"],
    ["/csv.md", "text/html", CSV],
    ["/csv.zip", "application/zip", "not a zip"],
    ["/csv.md", "", new Uint8Array([0, 1, 2, 255])],
    ["/csv", "text/plain", "No header."],
    ["/csv.json", "application/json", "[]"],
    ["/csv.json", "application/json", "{"],
    ["/csv.json", "application/json", '{"skills": 7}'],
    ["/csv.tar", "application/x-tar", "x".repeat(257).concat("ustar")],
  ])("STORE-15: unknown content at %s of the type %j is an error", async (path, type, body) => {
    serve(path, body, type);
    const repository = opened(path);
    const error = await failure(repository.list());
    expect(error.code).toBe("SKILL_INVALID");
    expect((await failure(repository.load("csv"))).code).toBe("SKILL_INVALID");
  });

  test("STORE-15: 404 is an error, and the next call sends a new request", async () => {
    const repository = opened("/csv.md");
    expect(await failure(repository.list())).toMatchObject({
      code: "BACKEND_FAILED",
      details: { status: 404 },
    });
    serve("/csv.md", CSV, "");
    expect((await repository.list()).skills).toHaveLength(1);
  });

  test("an archive needs a configured opener: the error names the remedy", async () => {
    serve("/csv.zip", await archived({ "SKILL.md": CSV }, "zip"), "application/zip");
    expect(await failure(opened("/csv.zip", { openArchive: undefined }).list())).toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("openArchive of @skillwright/archive"),
    });
  });

  test("a SKILL.md over its limit is refused", async () => {
    serve("/csv.md", CSV.padEnd(2000), "");
    const error = await failure(opened("/csv.md", { limits: { skillFileBytes: 1999 } }).list());
    expect([error.code, error.details]).toEqual(["LIMIT_EXCEEDED", { limit: 1999 }]);
  });

  test.each([
    ["/a/csv/SKILL.md", "csv"],
    ["/csv.md", "csv"],
    ["/csv%20two.md", "csv two"],
    ["/..%2fcsv.md", "skill"],
    ["/%zz.md", "%zz"],
    ["/con.md", "skill"],
    ["/SKILL.md", "skill"],
  ])("the folder of the skill at %s is %j", async (path, folder) => {
    serve(path, CSV, "text/markdown");
    expect((await opened(path).list()).skills[0]?.path).toBe(folder);
  });
});

describe("hostile archives", () => {
  test.each(["../x", "/x", "a/../../x", "..\\x", "C:\\x"])(
    "STORE-14: a zip with the entry %s is refused",
    async (name) => {
      serve("/csv.zip", zip({ name: "SKILL.md", body: CSV }, { name, body: "x" }), "application/zip");
      const { code } = await failure(opened("/csv.zip").list());
      expect(["PATH_OUTSIDE", "PATH_INVALID", "SKILL_INVALID"]).toContain(code);
    },
  );

  test("STORE-14: a zip with a link is refused, and accepted without it", async () => {
    const link = { name: "link", body: "/etc/passwd", mode: 0o120777 };
    serve("/csv.zip", zip({ name: "SKILL.md", body: CSV }, link), "application/zip");
    expect((await failure(opened("/csv.zip").list())).code).toBe("SKILL_INVALID");
    serve("/csv.zip", zip({ name: "SKILL.md", body: CSV }), "application/zip");
    expect((await opened("/csv.zip").list()).skills).toHaveLength(1);
  });

  test("STORE-14, TAR-01: a tar.gz with a link or an entry outside is refused", async () => {
    for (const [name, type] of [
      ["link", "2"],
      ["../x", "0"],
    ] as const) {
      serve("/csv.tgz", tarGz({ name: "SKILL.md", body: CSV }, { name, body: "", type }), "application/gzip");
      const { code } = await failure(opened("/csv.tgz").list());
      expect(["PATH_OUTSIDE", "SKILL_INVALID"]).toContain(code);
    }
    serve("/csv.tgz", tarGz({ name: "SKILL.md", body: CSV }), "application/gzip");
    expect((await opened("/csv.tgz").list()).skills).toHaveLength(1);
  });

  test("paths and sizes from a custom opener are checked", async () => {
    serve("/csv.zip", await archived({ "SKILL.md": CSV }, "zip"), "application/zip");
    const opener = (path: string, content: string): ArchiveOpener => {
      const contents = async function* () {
        yield { path: "SKILL.md", content: CSV };
        yield { path, content: byteStream(content) };
      };
      return async () => ({ diagnostics: [], contents });
    };
    const limits = { bytes: 1000 };
    const list = (path: string, content: string): Promise<unknown> =>
      opened("/csv.zip", { openArchive: opener(path, content), limits }).list();
    await list("a.txt", "a");
    expect((await failure(list("../x", "x"))).code).toBe("PATH_OUTSIDE");
    expect((await failure(list("SKILL.md", "x"))).code).toBe("SKILL_INVALID");
    expect((await failure(list("a.txt", "x".repeat(1001)))).code).toBe("LIMIT_EXCEEDED");
  });
});

describe("pinned", () => {
  test("STORE-13: bytes with another digest are refused before they are parsed, also at a refresh", async () => {
    const digest = digestOf(CSV);
    serve("/csv.md", "<html>", "text/html");
    expect((await failure(opened("/csv.md", { digest }).list())).code).toBe("DIGEST_MISMATCH");
    serve("/csv.md", CSV, "text/markdown");
    const repository = opened("/csv.md", { digest });
    const before = await repository.list();
    serve("/csv.md", skillMarkdown("csv", { body: "Other." }), "text/markdown");
    const error = await failure(repository.refresh());
    expect([error.code, error.message]).toEqual(["DIGEST_MISMATCH", expect.stringContaining('"csv.md"')]);
    expect(await repository.list()).toEqual(before);
  });
});

test("the opener of packages/archive has the type that core declares", async () => {
  const opener: ArchiveOpener = openArchive;
  const opened = await opener(await archived({ "SKILL.md": CSV }, "zip", "csv"), { limits: { files: 1 } });
  expect([opened.directoryName, opened.diagnostics]).toEqual(["csv", []]);
  const paths: string[] = [];
  for await (const { path } of opened.contents()) paths.push(path);
  expect(paths).toEqual(["SKILL.md"]);
});

function serve(path: string, body: string | Uint8Array, type: string): void {
  server.pages[path] = { body, headers: type === "" ? {} : { "content-type": type } };
}

function opened(path: string, options: Partial<HttpRepositoryOptions> = {}): SkillRepository {
  return httpRepository({
    url: server.origin + path,
    openArchive,
    allowHttp: true,
    allowPrivate: true,
    ...options,
  });
}
