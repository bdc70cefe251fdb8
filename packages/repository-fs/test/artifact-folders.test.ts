import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { artifactFolder } from "../src/artifacts/artifact-path.js";
import { fsArtifacts } from "../src/index.js";
import { temporaryDirectory } from "./fs-subject.js";

const scope = { app: "demo", user: "ada", session: "one" };
let root: string;
let dispose: () => Promise<void>;
beforeEach(async () => ({ root, dispose } = await temporaryDirectory()));
afterEach(async () => await dispose());

test("a person finds an artifact under its own name", async () => {
  const artifacts = fsArtifacts({ root });
  for (const version of [0, 1]) {
    const { location = "" } = await artifacts.save(scope, "reports/orders report.md", `text ${version}`);
    expect(isAbsolute(location)).toBe(true);
    expect(basename(location)).toBe("orders report.md");
    expect(basename(dirname(location))).toBe(`v${version}`);
    expect(await readFile(location, "utf8")).toBe(`text ${version}`);
  }
  const { location = "" } = await artifacts.save(scope, "reports/plain.md", "");
  expect(relative(root, location)).toBe("demo/ada/one/reports/plain.md/v0/plain.md");
});

test("the location is absolute even for a relative root", async () => {
  const { location = "" } = await fsArtifacts({ root: relative(process.cwd(), root) }).save(
    scope,
    "a.md",
    "",
  );
  expect(location).toBe(join(root, "demo/ada/one/a.md/v0/a.md"));
});

test("directories of names that a file system may confuse differ in more than case and Unicode form", () => {
  const names = ["report", "Report", "REPORT", "re port", "re_port", "v0", "V0", "\u00e9", "e", "a.", "a"];
  const folders = names.map((name) => artifactFolder(name).toLowerCase().normalize("NFD"));
  expect(new Set(folders).size).toBe(names.length);
});

test("a name that no directory can have becomes a readable one in lower case with a hash", () => {
  expect(artifactFolder("Orders: May.MD")).toMatch(/^orders_may\.md~[0-9a-f]{20}$/);
});

test("a name with many or long parts stays within the system's limits", () => {
  for (const name of [`${"A/".repeat(511)}A`, "x".repeat(255), "\u{1f600}".repeat(63)])
    expect(Buffer.byteLength(artifactFolder(name))).toBeLessThan(1000);
});

test("the record is stored beside the bytes, hidden, with its format version", async () => {
  const { location = "" } = await fsArtifacts({ root }).save(scope, "a.md", "x", {
    mimeType: "text/markdown",
  });
  expect((await readdir(dirname(location))).sort()).toEqual([".skillwright-artifact.json", "a.md"]);
  const record = JSON.parse(await readFile(join(dirname(location), ".skillwright-artifact.json"), "utf8"));
  expect(record).toMatchObject({ formatVersion: 1, name: "a.md", mimeType: "text/markdown", size: 1 });
});

test("an unreadable record is an error with the file's name, not a missing artifact", async () => {
  const artifacts = fsArtifacts({ root });
  const { location = "" } = await artifacts.save(scope, "a.md", "x");
  const record = join(dirname(location), ".skillwright-artifact.json");
  for (const text of ["{", '{"formatVersion":2,"name":"a.md"}', "null"]) {
    await writeFile(record, text);
    await expect(artifacts.open(scope, "a.md")).rejects.toMatchObject({ code: "BACKEND_FAILED" });
    await expect(artifacts.list(scope)).rejects.toThrow(record);
  }
});

test("a deleted artifact leaves no empty directories, and others beside and below it stay", async () => {
  const artifacts = fsArtifacts({ root });
  for (const name of ["x/y/z.md", "x/y", "w.md"]) await artifacts.save(scope, name, name);
  await artifacts.delete(scope, "x/y");
  expect((await artifacts.list(scope)).map(({ name }) => name)).toEqual(["w.md", "x/y/z.md"]);
  await artifacts.delete(scope, "x/y/z.md");
  expect(await readdir(join(root, "demo/ada/one"))).toEqual(["w.md"]);
});

test("files of other programs there are not artifacts", async () => {
  const artifacts = fsArtifacts({ root });
  await artifacts.save(scope, "a.md", "x");
  await mkdir(join(root, "demo/ada/one/notes/drafts"), { recursive: true });
  await writeFile(join(root, "demo/ada/one/notes/text.md"), "x");
  expect((await artifacts.list(scope)).map(({ name }) => name)).toEqual(["a.md"]);
});
