import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { sourceFiles } from "./readers/source-files.js";

const folders = ["packages", "apps", "examples", "bench", "scripts", "skills", "test", ".ci"];
/** What is generated is not source. */
const files = folders
  .flatMap((folder) => sourceFiles(folder))
  .filter(({ path }) => !/\.(bundle\.mjs|generated\.ts)$/.test(path));

describe("source files", () => {
  it("are found", () => {
    expect(files.length).toBeGreaterThan(50);
  });

  it("have at most 300 lines each", () => {
    const long = files.map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }));
    expect(long.filter(({ lines }) => lines > 300)).toEqual([]);
  });

  it("have kebab-case names after their content, never after a kind of thing", () => {
    const drawers = /^(utils?|helpers?|common|types?|constants?|misc|shared)\./;
    expect(files.map(({ path }) => path).filter((path) => drawers.test(basename(path)))).toEqual([]);
    expect(files.map(({ path }) => path).filter((path) => !/^[a-z0-9.-]+$/.test(basename(path)))).toEqual([]);
  });
});
