import { randomBytes } from "node:crypto";
import { openArchive } from "@skillwright/archive";
import { skillMarkdown } from "@skillwright/contracts";
import { readText } from "@skillwright/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type HttpRepositoryOptions, httpRepository } from "../src/index.js";
import { OLD_INDEX } from "./published.js";
import { tarGz, zip } from "./raw-archives.js";
import { type WebServer, webServer } from "./web-server.js";

let server: WebServer;
beforeEach(async () => {
  server = await webServer();
});
afterEach(async () => await server.close());

const PACKED = [
  { name: "packed/SKILL.md", body: skillMarkdown("packed") },
  { name: "packed/run.py", body: "1" },
  ...Array.from({ length: 1500 }, (_, index) => ({ name: `packed/.venv/lib/f${index}.py`, body: "x = 1\n" })),
];
const INSTALLED = [{ code: "file.installed", severity: "info", path: ".venv" }];

test.each([
  ["zip", zip(...PACKED)],
  [
    "tar.gz with a link, as a venv has",
    tarGz(...PACKED, { name: "packed/.venv/bin/python", body: "", type: "2" }),
  ],
])("an archive of a skill with as many files as a real venv loads without them: %s", async (_, body) => {
  server.pages["/packed"] = { body };
  const repository = opened("/packed");
  const { skills, broken } = await repository.list();
  expect(broken).toEqual([]);
  expect(skills[0]?.diagnostics).toMatchObject(INSTALLED);
  const { manifest } = await repository.load("packed");
  expect(manifest.files.map(({ path }) => path)).toEqual(["SKILL.md", "run.py"]);
  await expect(repository.open("packed", ".venv/lib/f1.py")).rejects.toMatchObject({
    code: "FILE_NOT_FOUND",
  });
});

test("40 MB of installed packages in a tar.gz do not count against the limits", async () => {
  const skill = [
    { name: "packed/SKILL.md", body: skillMarkdown("packed") },
    { name: "packed/node_modules/a/index.js", body: randomBytes(2000).toString("hex").repeat(10_000) },
  ];
  server.pages["/packed"] = { body: tarGz(...skill) };
  const { manifest, diagnostics } = await opened("/packed").load("packed");
  expect(manifest.files.map(({ path }) => path)).toEqual(["SKILL.md"]);
  expect(diagnostics).toMatchObject([{ code: "file.installed", path: "node_modules" }]);
});

test("leaveOut names other directories, or none, and limits.files applies to the remaining files", async () => {
  server.pages["/packed"] = { body: zip(...PACKED) };
  const refused = opened("/packed", { leaveOut: [] });
  expect((await refused.list().catch((error: unknown) => error)) as object).toMatchObject({
    code: "LIMIT_EXCEEDED",
  });
  const whole = opened("/packed", { leaveOut: [], limits: { files: 2000 } });
  expect((await whole.load("packed")).manifest.files).toHaveLength(1502);
  expect(await readText(await whole.open("packed", ".venv/lib/f1.py"), 100)).toBe("x = 1\n");
});

test("files of an index that are not part of a skill are not fetched", async () => {
  const files = ["SKILL.md", "run.py", "node_modules/a/index.js"];
  const skills = [{ name: "packed", description: "d", files }];
  server.pages[OLD_INDEX] = {
    body: JSON.stringify({ skills }),
    headers: { "content-type": "application/json" },
  };
  server.pages["/.well-known/skills/packed/SKILL.md"] = { body: skillMarkdown("packed") };
  server.pages["/.well-known/skills/packed/run.py"] = { body: "1" };
  const repository = opened("/");
  const { manifest, diagnostics } = await repository.load("packed");
  expect(manifest.files.map(({ path }) => path)).toEqual(["SKILL.md", "run.py"]);
  expect(diagnostics).toMatchObject([{ code: "file.installed", path: "node_modules" }]);
});

function opened(path: string, more: Partial<HttpRepositoryOptions> = {}) {
  return httpRepository({
    url: `${server.origin}${path}`,
    openArchive,
    allowHttp: true,
    allowPrivate: true,
    ...more,
  });
}
