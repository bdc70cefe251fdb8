import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { sourceFiles } from "./readers/source-files.js";

const folders = ["packages", "apps", "examples", "bench", "scripts", "skills", "test", ".ci"];
/** A generated bundle is no room that anybody lives in. */
const files = folders
  .flatMap((folder) => sourceFiles(folder))
  .filter(({ path }) => !path.endsWith(".bundle.mjs"));

describe("files of code", () => {
  it("are found", () => {
    expect(files.length).toBeGreaterThan(50);
  });

  it("have at most 300 lines each", () => {
    const long = files.map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }));
    expect(long.filter(({ lines }) => lines > 300)).toEqual([]);
  });

  it("are named after what is in them, in kebab-case, never after a kind of thing", () => {
    const drawers = /^(utils?|helpers?|common|types?|constants?|misc|shared)\./;
    expect(files.map(({ path }) => path).filter((path) => drawers.test(basename(path)))).toEqual([]);
    expect(files.map(({ path }) => path).filter((path) => !/^[a-z0-9.-]+$/.test(basename(path)))).toEqual([]);
  });
});
