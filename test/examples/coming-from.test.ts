import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasAll } from "../needs/has-all.js";
import { packagesIn, root } from "../repository/readers/packages.js";

const pages = readdirSync(`${root}/docs/coming-from`).filter((name) => name.endsWith(".md"));
const programs = pages.flatMap((page) => {
  const text = readFileSync(`${root}/docs/coming-from/${page}`, "utf8");
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""], index) => ({
    name: `${page.slice(0, -".md".length)}, program ${index + 1}`,
    code,
  }));
});

if (hasAll("packages/agent/dist", "packages/runtime-local/dist"))
  describe("the programs for people who come from another system", () => {
    let folder: string;

    beforeAll(() => {
      folder = mkdtempSync(`${tmpdir()}/skillwright-coming-from-`);
      const modules = `${folder}/node_modules/@skillwright`;
      mkdirSync(modules, { recursive: true });
      for (const { directory } of packagesIn("packages"))
        symlinkSync(`${root}/${directory}`, `${modules}/${basename(directory)}`);
    });

    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it("there are some on every page", () => {
      expect(pages).toHaveLength(5);
      for (const page of pages)
        expect(programs.map(({ name }) => name)).toContain(`${page.slice(0, -3)}, program 1`);
    });

    it.each(programs)("$name prints what its comments say", async ({ name, code }) => {
      const expected = [...code.matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm)].map(([, line]) => line);
      expect(expected).not.toEqual([]);
      const file = `${folder}/${name.replaceAll(/[^a-z0-9]+/g, "-")}.mjs`;
      writeFileSync(file, (await transform(code, { loader: "ts", format: "esm", target: "es2022" })).code);
      const { stdout } = await promisify(execFile)(process.execPath, [file]);
      expect(stdout.trimEnd().split("\n")).toEqual(expected);
    });
  });
