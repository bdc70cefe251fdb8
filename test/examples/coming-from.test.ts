import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasAll } from "../needs/has-all.js";
import { root } from "../repository/readers/packages.js";

const pages = readdirSync(`${root}/docs/coming-from`).map((page) => {
  const system = page.replace(/\.md$/, "");
  const text = readFileSync(`${root}/docs/coming-from/${page}`, "utf8");
  const folder = `examples/${system}`;
  const files = readdirSync(`${root}/${folder}`).filter((name) => name.endsWith(".ts"));
  const programs = files.map((file) => ({
    path: `${folder}/${file}`,
    code: readFileSync(`${root}/${folder}/${file}`, "utf8"),
  }));
  return { system, text, programs };
});

describe("the pages for people who come from another system", () => {
  it("are about five systems, each with a program", () => {
    expect(pages.map(({ system, programs }) => [system, programs.length > 0])).toEqual(
      ["agentscope", "aster", "openclaw", "picobot", "trpc-agent-go"].map((system) => [system, true]),
    );
  });

  it.each(pages)("$system shows its programs as they are, with a link to each", ({ text, programs }) => {
    const shown = [...text.matchAll(/\]\(\.\.\/\.\.\/(.*\.ts)\):\n\n```ts\n([\s\S]*?)^```$/gm)];
    const blocks = shown.map(([, path, code]) => ({ path, code }));
    expect(blocks).toHaveLength(programs.length);
    expect(blocks).toEqual(expect.arrayContaining(programs));
    expect(text.match(/^```ts$/gm)).toHaveLength(programs.length);
  });

  it("show data of the examples as it is", () => {
    const shown = pages.flatMap(({ text }) => [
      ...text.matchAll(/\]\(\.\.\/\.\.\/(examples\/\S*\.(?:md|json))\):\n\n```\w+\n([\s\S]*?)^```$/gm),
    ]);
    const blocks = shown.map(([, path = "", content]) => ({ path, content }));
    expect(blocks.map(({ path }) => path)).toEqual([
      "examples/aster/agent.json",
      "examples/openclaw/home/.openclaw/skills/code_reviewer.md",
      "examples/openclaw/skillwright.config.json",
    ]);
    for (const { path, content } of blocks) expect(readFileSync(`${root}/${path}`, "utf8")).toBe(content);
  });
});

const programs = pages.flatMap((page) => page.programs);

if (hasAll("packages/agent/dist", "packages/runtime-local/dist"))
  describe("the programs for people who come from another system", () => {
    let home: string;

    beforeAll(() => {
      home = mkdtempSync(`${tmpdir()}/skillwright-home-`);
    });

    afterAll(() => rmSync(home, { recursive: true, force: true }));

    it.each(programs)("$path prints what its comments say", async ({ path, code }) => {
      const expected = [...code.matchAll(/\); \/\/ (.*)$/gm)].map(([, line]) => line);
      expect(expected).not.toEqual([]);
      const [file = "", ...folder] = path.split("/").reverse();
      // Node 22.13 strips types only where it is asked to.
      const flags = ["--experimental-strip-types", "--disable-warning=ExperimentalWarning"];
      const { stdout } = await promisify(execFile)(process.execPath, [...flags, file], {
        cwd: `${root}/${folder.reverse().join("/")}`,
        env: { ...process.env, HOME: home },
      });
      expect(stdout.trimEnd().split("\n")).toEqual(expected);
    });
  });
