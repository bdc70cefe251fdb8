import { failsWith } from "@skillwright/contracts";
import { describe, expect, test } from "vitest";
import { listedFiles } from "../../src/files/listed-files.js";

const TIMES = "2026-01-02 03:04:05.678900000 +0000 2026-01-02 03:04:05.678900000 +0000";
const FILE = `81a4 5 11 1 9 1000 ${TIMES}`;
const DIRECTORY = `41ed 40 12 2 9 1000 ${TIMES}`;

function listed(...lines: readonly string[]) {
  const bytes = Buffer.from([...lines, "ended 0"].map((line) => `${line}//\n`).join(""), "latin1");
  return listedFiles(bytes, { prefix: "out/", uid: 1000 });
}

describe("the output of find and stat", () => {
  test("a file has size, time, mark and permissions", () => {
    const { files, ended } = listed(`${FILE} ./a.txt`, `81ed 0 13 3 9 1000 ${TIMES} ./b`);
    expect(ended).toBe(0);
    expect(files).toMatchObject([
      {
        path: "out/a.txt",
        kind: "file",
        size: 5,
        modifiedMs: Date.UTC(2026, 0, 2, 3, 4, 5) + 678.9,
        executable: false,
      },
      { path: "out/b", executable: true, hardLinks: { count: 3, file: "9-13" } },
    ]);
    expect(files[0]?.mark).not.toBe(files[1]?.mark);
  });

  test("FILE-25: names with line ends, separators and bytes that are not text are distinguished", () => {
    const { files } = listed(
      `${FILE} ./a\nended 0`,
      `${FILE} ./a\n${FILE} b`,
      `${FILE} ./bad\xff`,
      `${FILE} ./good`,
    );
    expect(files.map(({ path, kind }) => [path, kind])).toEqual([
      [String.raw`out/a\x0a${FILE} b`, "special"],
      [String.raw`out/a\x0aended 0`, "special"],
      [String.raw`out/bad\xff`, "special"],
      ["out/good", "file"],
    ]);
  });

  test("DOCK-06: names from elsewhere are shown escaped, as entries that are never opened", () => {
    const names = ["../../etc/passwd", "/etc/shadow", "./a/../../x", "..", "./d//x"];
    for (const name of names) {
      const { files } = listed(`${FILE} ${name}`);
      expect(files.map(({ kind }) => kind)).toEqual(["special"]);
      expect(files[0]?.path).not.toMatch(/\.\./);
    }
  });

  test("DOCK-06: entries below a file, a link or a closed directory are not shown, and no duplicates", () => {
    const lines = [`a1ff 4 14 1 9 1000 ${TIMES} ./link`, `4000 40 15 2 9 1000 ${TIMES} ./closed`];
    const { files } = listed(
      ...lines,
      `${FILE} ./link/passwd`,
      `${FILE} ./closed/x/y`,
      `${DIRECTORY} ./closed/x`,
      `${FILE} ./f`,
      `${FILE} ./f`,
      `${FILE} ./f/below`,
    );
    expect(files.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
      "out/closed special",
      "out/f file",
      "out/link link",
    ]);
  });

  test("DOCK-06: output that stat does not produce is an error", async () => {
    for (const line of [
      "",
      "f 99999999999999999999 1.0 644 a",
      `${FILE.replace("81a4", "xyz")} ./a`,
      `-${FILE} ./a`,
    ])
      await failsWith((async () => listed(line))(), "BACKEND_FAILED", JSON.stringify(line));
  });

  test("a truncated listing does not count as finished", () => {
    const bytes = Buffer.from(`${FILE} ./a//\n${FILE} ./b`);
    expect(listedFiles(bytes, { prefix: "out/", uid: 1000 }).ended).toBeUndefined();
  });

  test("FILE-26: a directory at the depth of 64 is shown as special", () => {
    const path = (depth: number) => `./${Array.from({ length: depth }, () => "d").join("/")}`;
    const { files } = listed(...[1, 63, 64].map((depth) => `${DIRECTORY} ${path(depth)}`));
    expect(files.map(({ kind }) => kind)).toEqual(["directory", "directory", "special"]);
  });
});
