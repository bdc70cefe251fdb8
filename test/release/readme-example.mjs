import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fetchNode, nodeVersions } from "../../scripts/bootstrap/fetch-node.mjs";
import { root } from "../../scripts/bootstrap/root.mjs";
import { npmInstall } from "../../scripts/packing/empty-project.mjs";
import { runCommand } from "../../scripts/run-command.mjs";
import { typeCheck } from "./type-check.mjs";

/** The expected output of the quick start: the result of its script. */
const expectedOutput = /Hello, Ada\s+Hello, Grace/;

/**
 * Follows the README in an empty project: installs what it says, from the given registry, compiles its quick start
 * and runs it on every Node.
 */
export async function checkReadmeExample({ project, scopeRegistry, check }) {
  const { code, packages } = quickStart(readFileSync(`${root}/README.md`, "utf8"));
  mkdirSync(project, { recursive: true });
  writeFileSync(`${project}/package.json`, JSON.stringify({ private: true, type: "module" }));
  writeFileSync(`${project}/.npmrc`, `@skillwright:registry=${scopeRegistry}\n`);
  writeFileSync(`${project}/quick-start.ts`, code);

  const installed = await check(`npm install ${packages.join(" ")}`, () =>
    npmInstall(project, packages, undefined),
  );
  if (!installed) return;
  const compiled = await check("the README's quick start compiles against the published packages", () =>
    typeCheck({ project, file: "quick-start.ts", resolution: "nodenext", outDir: "out" }),
  );
  if (!compiled) return;
  for (const version of nodeVersions) {
    await check(`the README's quick start runs on Node ${version}`, async () => {
      const { stdout } = await runCommand(await fetchNode(version), ["out/quick-start.js"], {
        cwd: project,
      });
      assert.match(stdout, expectedOutput);
    });
  }
}

/** The block after its marker comment, and the packages of the last `npm install` line before it. */
function quickStart(readme) {
  const marked = readme.match(/<!-- example: quick-start -->\s*```ts\n([\s\S]*?)```/);
  if (!marked) throw new Error("README.md has no ```ts block after a line `<!-- example: quick-start -->`");
  const lines = [...readme.slice(0, marked.index).matchAll(/^npm install ((?:@skillwright\/\S+ ?)+)$/gm)];
  const line = lines.at(-1)?.[1];
  if (!line) throw new Error("README.md has no line `npm install @skillwright/...` before its quick start");
  return { code: marked[1], packages: line.trim().split(/\s+/) };
}
