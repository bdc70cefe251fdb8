import type { Diagnostic } from "@skillwright/core";
import type { FileStat } from "@skillwright/core/adapter";
import { describe, expect, test } from "vitest";
import { outputPlan } from "../src/collect/output-plan.js";
import { selectOutputs } from "../src/collect/select-outputs.js";
import { pathContext } from "../src/path/path-context.js";

type Entry = [path: string, mark: string, kind?: FileStat["kind"], size?: number];

function listing(entries: readonly Entry[]): ReadonlyMap<string, FileStat> {
  return new Map(
    entries.map(([path, mark, kind = "file", size = 3]) => [path, { path, mark, kind, size, modifiedMs: 1 }]),
  );
}

function select(
  globs: string[],
  after: Entry[],
  options: { before?: Entry[]; failed?: boolean; maxFiles?: number } = {},
) {
  const plan = outputPlan({ globs, maxFiles: options.maxFiles }, pathContext("/srv/ws_1"));
  const told: Diagnostic[] = [];
  const listings = {
    before: listing(options.before ?? []),
    after: listing(after),
    failed: options.failed ?? false,
  };
  const selected = plan ? selectOutputs(plan, listings, (diagnostic) => told.push(diagnostic)) : [];
  return {
    paths: selected.map(({ file }) => file.path),
    unchanged: selected.filter((one) => one.unchanged).map(({ file }) => file.path),
    told,
    codes: told.map(({ code }) => code),
  };
}

describe("selection of outputs", () => {
  test("FILE-01, FILE-12: files only, sorted by path", () => {
    const { paths, codes } = select(
      ["out/**"],
      [
        ["out/b.txt", "1"],
        ["out/a", "1", "directory"],
        ["out/a/c", "1"],
      ],
    );
    expect(paths).toEqual(["out/a/c", "out/b.txt"]);
    expect(codes).toEqual([]);
  });

  test("FILE-02: a file that two globs match is listed once", () => {
    expect(select(["out/*.txt", "out/**"], [["out/a.txt", "1"]]).paths).toEqual(["out/a.txt"]);
  });

  test.each([".", "out", "out/"])("GLOB-09: %j matches nothing, and the remedy is given", (glob) => {
    const { paths, codes } = select([glob], [["out/a.txt", "1"]]);
    expect(paths).toEqual([]);
    expect(codes).toEqual(["glob.no-match"]);
  });

  test("a glob that matches nothing gives the correct form", () => {
    const after: Entry[] = [
      ["out/a.txt", "1"],
      ["out/sub", "1", "directory"],
      ["out/etc", "1", "link"],
    ];
    expect(select(["out/sub"], after).told[0]?.hint).toBe('out/sub is a directory; write "out/sub/**".');
    expect(select(["a.txt"], after).told[0]?.hint).toContain("out/a.txt");
    expect(select(["skills/x/a"], after).told[0]?.hint).toContain("out/");
    expect(select(["out/etc/passwd"], after).told[0]?.hint).toBe(
      "out/etc is a link, and links are not followed.",
    );
  });

  test("LINK-01, FILE-20: links and special files are skipped, each with a diagnostic", () => {
    const { paths, codes } = select(
      ["out/*"],
      [
        ["out/l", "1", "link"],
        ["out/p", "1", "special"],
        ["out/a", "1"],
      ],
    );
    expect(paths).toEqual(["out/a"]);
    expect(codes).toEqual(["output.link-skipped", "output.special-skipped"]);
  });

  test("a file that the run did not touch is reported as unchanged", () => {
    const before: Entry[] = [
      ["out/old", "1"],
      ["out/rewritten", "1"],
    ];
    const after: Entry[] = [
      ["out/old", "1"],
      ["out/rewritten", "2"],
      ["out/new", "1"],
    ];
    expect(select(["out/*"], after, { before }).unchanged).toEqual(["out/old"]);
  });

  test("FILE-07: reaching the limit of files is reported with the omitted files, and changed files come first", () => {
    const before: Entry[] = [["out/a", "1"]];
    const after: Entry[] = [
      ["out/a", "1"],
      ["out/b", "1"],
      ["out/c", "1"],
    ];
    const { paths, told } = select(["out/*"], after, { before, maxFiles: 1 });
    expect(paths).toEqual(["out/b"]);
    expect(told[0]).toMatchObject({
      code: "output.file-limit",
      message: expect.stringContaining("2 matching files"),
    });
  });

  test("FILE-13: an empty file of a failed command is left out, a non-empty one kept", () => {
    const after: Entry[] = [
      ["out/empty", "1", "file", 0],
      ["out/filled", "1"],
    ];
    const { paths, codes } = select(["out/*"], after, { failed: true });
    expect(paths).toEqual(["out/filled"]);
    expect(codes).toEqual(["output.empty-after-failure"]);
    expect(select(["out/*"], after).paths).toEqual(["out/empty", "out/filled"]);
  });

  test("FILE-03: names with spaces, quotes, line ends and Unicode are listed once, unchanged", () => {
    const names = ["out/a b", "out/'\"", "out/x\ny", "out/é€"];
    expect(
      select(
        ["out/*"],
        names.map((name) => [name, "1"]),
      ).paths,
    ).toEqual([...names].sort());
  });
});

describe("limits of outputs", () => {
  test.each([{ maxFiles: 0 }, { maxFileBytes: -1 }, { maxTotalBytes: 1.5 }])(
    "%j is refused by name",
    (limits) => {
      const field = Object.keys(limits)[0] ?? "";
      expect(() => outputPlan({ globs: [], ...limits }, pathContext("/w"))).toThrow(field);
    },
  );

  test("FILE-09: a limit above the maximum for inlining is reported and not silently lowered", () => {
    const plan = outputPlan({ globs: [], inline: true, maxFileBytes: 2 ** 31 }, pathContext("/w"));
    expect(plan).toMatchObject({ maxFileBytes: 2 ** 31, maxInlineBytes: 2 ** 24 });
    expect(plan?.diagnostics.map(({ code }) => code)).toEqual(["output.inline-cap"]);
  });

  test("a name prefix that leads out of the artifacts is refused before anything runs", () => {
    expect(() => outputPlan({ globs: [], nameTemplate: "../" }, pathContext("/w"))).toThrow(/\.\./);
  });
});
