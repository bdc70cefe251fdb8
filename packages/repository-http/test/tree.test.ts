import { openArchive } from "@skillwright/archive";
import { skillMarkdown } from "@skillwright/contracts";
import { readText } from "@skillwright/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type HttpRepositoryOptions, httpRepository } from "../src/index.js";
import { failure } from "./failure.js";
import { archived, digestOf, INDEX, SCHEMA } from "./published.js";
import { tarGz, zip } from "./raw-archives.js";
import { type WebServer, webServer } from "./web-server.js";

let server: WebServer;
beforeEach(async () => {
  server = await webServer();
});
afterEach(async () => await server.close());

const TREE = [
  { name: "team-skills/README.md", body: "About" },
  { name: "team-skills/skills/csv/SKILL.md", body: skillMarkdown("csv") },
  { name: "team-skills/skills/csv/run.py", body: "1" },
  { name: "team-skills/skills/group/pdf/SKILL.md", body: skillMarkdown("pdf") },
  { name: "team-skills/.github/skills/hidden/SKILL.md", body: skillMarkdown("hidden") },
];

describe.each([
  ["zip", zip],
  ["tar.gz", tarGz],
] as const)("an archive that holds a tree of skills: %s", (_, pack) => {
  test("lists each skill by its path below the archive's folder, and reads its files (STORE-17)", async () => {
    serve(pack(...TREE));
    const repository = opened();
    const { skills, broken, diagnostics } = await repository.list();
    expect(skills.map(({ name, path }) => [name, path])).toEqual([
      ["csv", "skills/csv"],
      ["pdf", "skills/group/pdf"],
    ]);
    expect(broken).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: "scan.hidden", path: ".github/skills" }]);
    const { manifest } = await repository.load("csv");
    expect(manifest.files.map(({ path }) => path)).toEqual(["SKILL.md", "run.py"]);
    expect(await readText(await repository.open("skills/csv", "run.py"), 10)).toBe("1");
    expect(await failure(repository.open("csv", "../group/pdf/SKILL.md"))).toMatchObject({
      code: "PATH_OUTSIDE",
    });
  });

  test("a skill above a limit of one skill is broken and hides no other (STORE-18)", async () => {
    serve(pack(...TREE, { name: "team-skills/long/SKILL.md", body: skillMarkdown("long").padEnd(2000) }));
    const brokenWith = async (limits: HttpRepositoryOptions["limits"]) => {
      const { skills, broken } = await opened({ limits }).list();
      const found = broken.map(({ path, diagnostics }) => [path, diagnostics[0]?.code]);
      return { names: skills.map(({ name }) => name), found };
    };
    expect(await brokenWith({ files: 1 })).toEqual({
      names: ["long", "pdf"],
      found: [["skills/csv", "skill.too-many-files"]],
    });
    expect(await brokenWith({ bytes: 1000 })).toEqual({
      names: ["csv", "pdf"],
      found: [["long", "skill.too-large"]],
    });
    expect(await brokenWith({ skillFileBytes: 1000 })).toEqual({
      names: ["csv", "pdf"],
      found: [["long", "skill-file.too-large"]],
    });
  });

  test("a tree above a limit of the whole is refused, and skills above the limit are reported (STORE-18)", async () => {
    serve(pack(...TREE));
    const bytes = TREE.reduce((sum, { body }) => sum + body.length, 0);
    const whole = { treeFiles: TREE.length, treeBytes: bytes };
    expect((await opened({ limits: whole }).list()).skills).toHaveLength(2);
    for (const limits of [{ treeFiles: TREE.length - 1 }, { treeBytes: bytes - 1 }])
      expect((await failure(opened({ limits }).list())).code).toBe("LIMIT_EXCEEDED");
    const { skills, diagnostics } = await opened({ limits: { entries: 1 } }).list();
    expect(skills.map(({ name }) => name)).toEqual(["csv"]);
    expect(diagnostics).toMatchObject([
      { code: "index.cut", message: expect.stringContaining("1 of 2") },
      { code: "scan.hidden" },
    ]);
  });

  test("one hostile entry anywhere refuses the whole archive (STORE-14)", async () => {
    for (const [name, code] of [
      ["team-skills/../../x", "PATH_OUTSIDE"],
      ["/x", "PATH_OUTSIDE"],
      ["team-skills/skills/CSV/SKILL.md", "SKILL_INVALID"],
      ["team-skills/skills/csv/SKILL.md/x", "SKILL_INVALID"],
      ["team-skills/aux.txt", "PATH_INVALID"],
    ] as const) {
      serve(pack(...TREE, { name, body: "" }));
      expect([name, (await failure(opened().list())).code]).toEqual([name, code]);
    }
  });

  test("keeps its skills until a refresh takes the new archive (STORE-17)", async () => {
    serve(pack(...TREE));
    const repository = opened();
    await repository.list();
    serve(pack(...TREE.slice(0, 3)));
    expect((await repository.load("pdf")).name).toBe("pdf");
    await repository.refresh();
    expect((await repository.list()).skills.map(({ name }) => name)).toEqual(["csv"]);
  });
});

test("a link in a tree refuses the whole archive (STORE-14)", async () => {
  serve(tarGz(...TREE, { name: "team-skills/skills/link", body: "", type: "2" }));
  expect((await failure(opened().list())).code).toBe("SKILL_INVALID");
});

test("installed packages in a tree are left out and reported once each", async () => {
  serve(tarGz(...TREE, { name: "team-skills/skills/csv/node_modules/a/x", body: "", type: "2" }));
  const { skills, diagnostics } = await opened().list();
  expect(skills).toHaveLength(2);
  expect(diagnostics).toMatchObject([
    { code: "scan.hidden" },
    { code: "file.installed", path: "skills/csv/node_modules" },
  ]);
});

test("an entry of an index is one skill: a tree there is refused and hides no other", async () => {
  const tree = zip(...TREE);
  const one = await archived({ "SKILL.md": skillMarkdown("one") }, "zip");
  const entry = (name: string, bytes: Uint8Array) => ({
    name,
    type: "archive",
    description: "d",
    url: `/${name}.zip`,
    digest: digestOf(bytes),
  });
  server.pages["/tree.zip"] = tree;
  server.pages["/one.zip"] = one;
  server.pages[INDEX] = JSON.stringify({ $schema: SCHEMA, skills: [entry("tree", tree), entry("one", one)] });
  const { skills, broken } = await opened({ url: `${server.origin}/` }).list();
  expect(skills.map(({ name }) => name)).toEqual(["one"]);
  expect(broken).toMatchObject([{ path: "tree", diagnostics: [{ code: "fetch.skill-invalid" }] }]);
});

function serve(body: Uint8Array): void {
  server.pages["/skills"] = { body, headers: { "content-type": "application/octet-stream" } };
}

function opened(options: Partial<HttpRepositoryOptions> = {}) {
  return httpRepository({
    url: `${server.origin}/skills`,
    openArchive,
    allowHttp: true,
    allowPrivate: true,
    ...options,
  });
}
