import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { root } from "./readers/packages.js";
import { sourceFiles } from "./readers/source-files.js";

const [document] = sourceFiles("docs", /where-to-change-what\.md$/);
const rows = (document?.text ?? "").split("\n").filter((line) => /^\| (?!change \||---)/.test(line));

describe("docs/where-to-change-what.md", () => {
  it("has at least twenty changes", () => {
    expect(rows.length).toBeGreaterThanOrEqual(20);
  });

  it.each(rows.map((row) => [row.split("|")[1]?.trim() ?? "", row]))(
    "names files that exist: %s",
    (_, row) => {
      const named = [...row.matchAll(/`([^`]*\/[^`]*)`/g)].map(([, path = ""]) => path);
      expect(named).not.toEqual([]);
      expect(named.filter((path) => !existsSync(`${root}/${path}`))).toEqual([]);
    },
  );
});
