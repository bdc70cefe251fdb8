import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { openHostFile } from "../src/inputs/host-file.js";
import { hostTree } from "../src/inputs/host-tree.js";
import { inputSource } from "../src/inputs/input-source.js";
import { inputTarget } from "../src/inputs/input-target.js";
import { planInputs } from "../src/inputs/plan-inputs.js";
import { pathContext } from "../src/path/path-context.js";
import { makeOpenFolder } from "./open-folder.js";

const context = pathContext("/srv/ws_1", { runId: "run_1" });
const target = (to: string | undefined, from = "host:///data/m.txt") =>
  inputTarget(to, inputSource(from), context);
const withCode = (code: string) => expect.toSatisfy((error) => SkillError.is(error) && error.code === code);

describe("the target of an input", () => {
  test.each(["", "  ", ".", "inputs", "inputs/", "work/inputs", undefined])(
    "INPUT-01: %j is the default target",
    (to) => {
      expect(target(to)).toBe("work/inputs/m.txt");
    },
  );

  test.each([
    "inputs/n.txt",
    "inputs\\n.txt",
    "work/inputs/n.txt",
    "$INPUTS_DIR/n.txt",
    "/work/inputs/n.txt",
  ])("INPUT-02: %j is work/inputs/n.txt", (to) => {
    expect(target(to)).toBe("work/inputs/n.txt");
  });

  test.each(["work/foo/bar.txt", "out/bar.txt", "runs/run_1/bar.txt"])(
    "PATH-05: %j is kept unchanged",
    (to) => {
      expect(target(to)).toBe(to);
    },
  );

  test.each([
    "/",
    "//",
    " / ",
    "\\",
    "/./",
    "/..",
    "foo/bar.txt",
    "skills/demo/scripts/run.sh",
    "/tmp/evil",
    "../x",
    "work",
    "work/../../x",
  ])("PATH-05, PATH-06: %j is refused", (to) => {
    expect(() => target(to)).toThrow(withCode("PATH_OUTSIDE"));
  });

  test("INPUT-01: the default of artifact://reports/x.pdf@2 is work/inputs/x.pdf", () => {
    expect(target(undefined, "artifact://reports/x.pdf@2")).toBe("work/inputs/x.pdf");
  });

  test("PATH-07: a derived name is checked like an explicit one", () => {
    expect(() => target(undefined, "artifact://..")).toThrow(withCode("PATH_OUTSIDE"));
  });

  test("PATH-09: two inputs with one target are refused", () => {
    const inputs = [{ from: "artifact://a/x.txt" }, { from: "artifact://b/x.txt" }];
    expect(() => planInputs(inputs, context)).toThrow(
      /artifact:\/\/a\/x.txt and artifact:\/\/b\/x.txt both go to/,
    );
  });

  test("two inputs of which one goes below the other are refused, in either order", () => {
    const inputs = ["work/a/b", "work/a"].map((to, index) => ({ from: `artifact://${index}`, to }));
    for (const both of [inputs, inputs.toReversed()])
      expect(() => planInputs(both, context)).toThrow(/one of which is below the other/);
    const beside = ["work/a", "work/ab", "work/b/work/a"].map((to) => ({ from: "artifact://x", to }));
    expect(planInputs(beside, context)).toHaveLength(3);
  });

  test("PATH-10: a name of more than 255 bytes is refused", () => {
    expect(() => target(`work/${"x".repeat(256)}`)).toThrow(withCode("PATH_INVALID"));
  });

  test("more than 64 inputs are too many", () => {
    const inputs = Array.from({ length: 65 }, (_, index) => ({ from: `artifact://${index}` }));
    expect(() => planInputs(inputs, context)).toThrow(withCode("LIMIT_EXCEEDED"));
  });
});

describe("files of this machine", () => {
  async function openFolder() {
    const root = await realpath(await mkdtemp(join(tmpdir(), "skillwright-input-")));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    makeOpenFolder(root);
    return root;
  }

  test("a pipe or a link in place of the file that was checked is not read, and opening it does not wait", async () => {
    const root = await openFolder();
    for (const name of ["fifo", "l", "tree", "gone"])
      await expect(openHostFile(join(root, name), name)).rejects.toThrow(withCode("FILE_NOT_FOUND"));
    const { size, close } = await openHostFile(join(root, "tree/a.txt"), "a.txt");
    expect(size).toBe(1);
    await close?.();
  });

  test("a directory that cannot be read is left out with a diagnostic", async () => {
    const told: string[] = [];
    const place = { real: join(await openFolder(), "gone"), isDirectory: true, written: "/written" };
    const tree = await hostTree(place, { tell: ({ message }) => void told.push(message) });
    expect(tree).toEqual({ isDirectory: true, files: [] });
    expect(told).toEqual([expect.stringMatching(/\/written.*cannot be read/)]);
  });

  test("listing a directory ends with the signal of the run", async () => {
    const place = { real: await openFolder(), isDirectory: true, written: "/written" };
    const listing = hostTree(place, { tell: () => undefined, signal: AbortSignal.abort() });
    await expect(listing).rejects.toThrow(withCode("ABORTED"));
  });
});

describe("the source of an input", () => {
  test.each([
    ["INPUT-03", "artifact://item@123", { name: "item", version: 123 }],
    ["INPUT-04", "artifact://plain", { name: "plain" }],
    ["INPUT-04", "artifact://tail@", { name: "tail@" }],
    ["INPUT-04", "artifact://bad@v1", { name: "bad@v1" }],
    ["INPUT-04", "artifact://a@b@c", { name: "a@b@c" }],
    ["INPUT-03", "artifact://a@b@123", { name: "a@b", version: 123 }],
    ["INPUT-21", "artifact://a@-1", { name: "a@-1" }],
    ["INPUT-21", "artifact://a@1e9", { name: "a@1e9" }],
  ])("%s: %s", (_id, from, reference) => {
    expect(inputSource(from)).toEqual({ scheme: "artifact", reference });
  });

  test.each([
    "artifact://@123",
    "artifact://",
    "skill://demo",
    "skill://demo/",
    "skill:///a.csv",
    "workspace:// ",
  ])("INPUT-05: %s is refused", (from) => {
    expect(() => inputSource(from)).toThrow(withCode("INPUT_INVALID"));
  });

  test.each([
    ["HOST:///srv/x", /upper-case letters/],
    ["Skill://demo/a.csv", /upper-case letters/],
    [" host:///srv/x", /spaces/],
    ["workspace://work/x\n", /spaces/],
    ["host://srv/x", /must be absolute/],
    ["host://~/x", /must be absolute/],
    ["host://.", /must be absolute/],
  ])("%j is refused with the correct form", (from, why) => {
    expect(() => inputSource(from)).toThrow(withCode("INPUT_INVALID"));
    expect(() => inputSource(from)).toThrow(why);
    expect(() => inputSource(from)).toThrow("host:///absolute/path");
  });

  test.each(["http://x", "noslash", ""])(
    "INPUT-08: %j is an unsupported scheme, and the four are named",
    (from) => {
      expect(() => inputSource(from)).toThrow(/artifact:.*host:.*workspace:.*skill:/);
    },
  );

  test("PATH-08: percent signs are not decoded", () => {
    expect(inputSource("workspace://a/%2e%2e/b")).toEqual({ scheme: "workspace", path: "a/%2e%2e/b" });
  });
});
