import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiReport } from "./readers/api-report.js";
import { readDeclarations } from "./readers/declarations.js";
import { packagesIn, root } from "./readers/packages.js";

const packages = packagesIn("packages");
const folder = mkdtempSync(join(tmpdir(), "api-"));

/** One committed report per package, so that a change shows what changes for users. `pnpm api` writes them. */
describe("docs/api", () => {
  beforeAll(declare);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(packages)("shows what $name exports", async (one) => {
    const report = `${apiReport(one, `${folder}/declarations`)}\n`;
    await expect(report).toMatchFileSnapshot(`${root}/docs/api/${basename(one.directory)}.md`);
  });

  it("refuses a module that exports all names of another", () => {
    expect(() => readDeclarations('export * from "./other.js";\n')).toThrow("export *");
  });

  it("has no report without a package", () => {
    const reports = readdirSync(`${root}/docs/api`);
    const names = packages.map(({ directory }) => `${basename(directory)}.md`);
    expect(reports.filter((report) => !names.includes(report))).toEqual([]);
  });
});

/** Writes the declarations of all packages, from their sources, so that no build has to be up to date. */
async function declare(): Promise<void> {
  const configuration = {
    extends: `${root}/tsconfig.base.json`,
    compilerOptions: {
      noCheck: true,
      declarationMap: false,
      rootDir: `${root}/packages`,
      outDir: `${folder}/declarations`,
      customConditions: ["@skillwright/source"],
      typeRoots: [`${root}/node_modules/@types`],
    },
    include: [`${root}/packages/*/src`],
  };
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(configuration));
  const tsc = `${root}/node_modules/typescript/bin/tsc`;
  await promisify(execFile)(process.execPath, [tsc, "-p", folder], { cwd: root });
}
