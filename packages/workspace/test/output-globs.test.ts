import { SkillError } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { leastTime } from "../../../test/timing/least-time.js";
import { outputGlobs } from "../src/collect/output-globs.js";
import { pathContext } from "../src/path/path-context.js";

const context = pathContext("/srv/ws_1", { runId: "run_1" });
const read = (...globs: string[]) => outputGlobs(globs, context);
const patterns = (glob: string) => read(glob).globs.flatMap((one) => one.patterns);
const matches = (glob: string, path: string) => read(glob).globs.some((one) => one.matches(path));
const braced = (name: string) => `$\{${name}}`;
const refused = expect.toSatisfy((error) => SkillError.is(error, "INPUT_INVALID"));

describe("globs", () => {
  test.each([
    ["GLOB-06", "$OUTPUT_DIR/a.txt", "out/a.txt"],
    ["GLOB-06", `${braced("WORK_DIR")}/x/**`, "work/x/**"],
    ["GLOB-06", "$SKILLS_DIR/tool", "skills/tool"],
    ["GLOB-06", "$WORKSPACE_DIR/out/b.txt", "out/b.txt"],
    ["GLOB-07", "$UNKNOWN_DIR/d", "$UNKNOWN_DIR/d"],
    ["PATH-21", "$OUTPUT_DIR_demo/a", "$OUTPUT_DIR_demo/a"],
    ["PATH-22", "$RUN_DIR/*.log", "runs/run_1/*.log"],
    ["GLOB-06", "/out/site.zip", "out/site.zip"],
    ["of a printed path", "/srv/ws_1/out/a.txt", "out/a.txt"],
    ["with backslashes", "$OUTPUT_DIR\\*.txt", "out/*.txt"],
    ["the inputs alias", "inputs/*.csv", "work/inputs/*.csv"],
    ["with a leading dot", "./out/a", "out/a"],
  ])("%s: %s is %s", (_id, glob, pattern) => {
    expect(patterns(glob)).toEqual([pattern]);
  });

  test("GLOB-07: blank globs are dropped", () => {
    expect(read("", "  ").globs).toEqual([]);
  });

  test.each(["../*.txt", "out/../../*", "$OUTPUT_DIR/../../*", "/etc/h*", "{/etc,..}/x", "C:/x"])(
    "GLOB-08, GLOB-04: %s matches nothing, with a diagnostic",
    (glob) => {
      const { globs, diagnostics } = read(glob);
      expect(globs).toEqual([]);
      expect(diagnostics.map(({ code }) => code)).toEqual(["glob.outside"]);
    },
  );

  test("a brace of which one part leads outside keeps the other, with a diagnostic", () => {
    const { globs, diagnostics } = read("{..,out}/*.txt");
    expect(globs.map((one) => one.patterns)).toEqual([["out/*.txt"]]);
    expect(diagnostics).toHaveLength(1);
  });

  test("names with a leading dot, brackets and braces match as users expect", () => {
    expect(matches("out/**", "out/.hidden/x")).toBe(true);
    expect(matches("out/*.{csv,md}", "out/a.md")).toBe(true);
    expect(matches("out/[ab].txt", "out/b.txt")).toBe(true);
    expect(matches("out/*.txt", "out/sub/a.txt")).toBe(false);
    expect(matches("!out/*", "out/a")).toBe(false);
    expect(matches("#out", "#out")).toBe(true);
  });

  test("GLOB-02: a regular expression is literal text", () => {
    expect(matches("out/(a+)+$", "out/(a+)+$")).toBe(true);
    expect(matches("out/(a+)+$", "out/aaa")).toBe(false);
    expect(matches("out/+(a|b)", "out/ab")).toBe(false);
  });

  test("GLOB-04: commands and other variables are literal text", () => {
    for (const glob of ["$HOME/*", "$(id)/*", "`id`"]) expect(patterns(glob)).toEqual([glob]);
  });

  test.each([
    ["longer than 512 characters", `out/${"x".repeat(510)}`],
    ["with a NUL", "out/a\0b"],
    ["GLOB-03: a range that stands for millions", "out/{1..100000000}"],
    ["eighteen braces in a row", `out/${"{a,b}".repeat(18)}`],
  ])("%s: refused by name", (_why, glob) => {
    expect(() => read("out/**", glob)).toThrow(refused);
    expect(() => read(glob)).toThrow(/The glob "out\//);
  });

  test("more than 64 globs, and more than 256 patterns by braces, are refused", () => {
    expect(() => read(...Array<string>(65).fill("out/*"))).toThrow(refused);
    expect(() => read(...Array<string>(5).fill("out/{1..60}"))).toThrow(refused);
  });

  test("GLOB-01: stars that could backtrack are matched at once", () => {
    const compare = () => expect(matches("out/*a*a*a*a*a*a*a*a*b", `out/${"a".repeat(100)}`)).toBe(false);
    expect(leastTime(compare, 200)).toBeLessThan(200);
  });

  test("only the directories that a glob can reach are listed", () => {
    expect(read("out/**").globs[0]?.roots).toEqual(["out"]);
    expect(read("{out,work}/*").globs[0]?.roots).toEqual(["out", "work"]);
    expect(read("**/*.md").globs[0]?.roots).toEqual(["out", "runs", "work"]);
    expect(read("skills/x/*").globs[0]?.roots).toEqual([]);
  });
});
