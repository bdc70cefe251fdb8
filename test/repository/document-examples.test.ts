import { execFile } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packagesIn, root } from "./readers/packages.js";
import { sourceFiles } from "./readers/source-files.js";

const documents = ["README.md", "CONTRIBUTING.md", "docs", "packages", "apps", "examples"].flatMap((place) =>
  place.endsWith(".md")
    ? sourceFiles(".", /^[A-Z]+\.md$/).filter(({ path }) => path === place)
    : sourceFiles(place, /\.md$/),
);

/** Every block marked ```ts; an intentional fragment is marked ```ts fragment. */
const examples = documents.flatMap(({ path, text }) =>
  [...text.matchAll(/^( *)```(?:ts|typescript)\n([\s\S]*?)^ *```$/gm)].map((match) => {
    const line = text.slice(0, match.index).split("\n").length;
    return { name: `${path}:${line}`, code: match[2] ?? "" };
  }),
);

/** The examples are written beside the app's own modules, so that their third-party imports are found, but for these. */
const folder = `${root}/apps/agent/node_modules/.document-examples`;
const ELSEWHERE = [
  ["packages/agent", "ai"],
  ["examples/web-service", "@opentelemetry"],
  ["examples/own-records", "lmdb"],
];
let complaints = "";

describe("examples in documents", () => {
  beforeAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(`${folder}/node_modules`, { recursive: true });
    for (const [owner, module] of ELSEWHERE)
      symlinkSync(`${root}/${owner}/node_modules/${module}`, `${folder}/node_modules/${module}`);
    writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(configuration(), undefined, 2));
    for (const { name, code } of examples)
      writeFileSync(`${folder}/${fileName(name)}`, `${code}\nexport {};\n`);
    complaints = await compile();
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("are found", () => {
    expect(examples.map(({ name }) => name).filter((name) => name.startsWith("README.md"))).not.toHaveLength(
      0,
    );
  });

  it.each(examples)("$name compiles unchanged", ({ name }) => {
    const mine = complaints.split(/\n(?=\S)/).filter((complaint) => complaint.includes(fileName(name)));
    expect(mine.join("\n")).toBe("");
  });

  it("have no compiler message outside of them", () => {
    const others = complaints
      .split(/\n(?=\S)/)
      .filter((line) => !examples.some(({ name }) => line.includes(fileName(name))));
    expect(others.join("\n").trim()).toBe("");
  });
});

function fileName(name: string): string {
  return `${name.replaceAll(/[/:]/g, "--")}.mts`;
}

async function compile(): Promise<string> {
  const tsc = [`${root}/node_modules/typescript/bin/tsc`, "--pretty", "false", "-p", folder];
  return promisify(execFile)(process.execPath, tsc, { cwd: root }).then(
    () => "",
    (error: { stdout: string; message: string }) => error.stdout || error.message,
  );
}

/** The repository's compiler options, with our packages resolved to their sources. */
function configuration() {
  const paths = packagesIn("packages").flatMap(({ directory, name, manifest }) =>
    Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) =>
      typeof target === "string"
        ? []
        : [[name + subpath.slice(1), [`${root}/${directory}/${target["@skillwright/source"]}`]]],
    ),
  );
  return {
    extends: `${root}/tsconfig.base.json`,
    compilerOptions: {
      noEmit: true,
      declaration: false,
      declarationMap: false,
      emitDeclarationOnly: false,
      rootDir: root,
      customConditions: ["@skillwright/source"],
      typeRoots: [`${root}/node_modules/@types`],
      paths: Object.fromEntries(paths),
    },
    include: ["*.mts"],
  };
}
