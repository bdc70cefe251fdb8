import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const main = new URL("../src/main.ts", import.meta.url);
const runCli = new URL("../src/run-cli.ts", import.meta.url);

test("the start of skillwright, and its help, import no package but commander: a command imports what it needs when it runs", () => {
  // Node keeps only code that it compiles after `enableCompileCache`, so `main.ts` imports the rest after that call.
  expect(importedFrom(main)).toEqual({ files: new Set([fileURLToPath(main)]), packages: new Set() });
  const { files, packages } = importedFrom(runCli);
  expect([...packages]).toEqual(["commander"]);
  // A walk that follows no import finds no package either.
  expect(files.has(fileURLToPath(new URL("../src/commands/publish.ts", import.meta.url)))).toBe(true);
});

/** Follows the imports of values by which a module is loaded with another one. */
function importedFrom(start: URL): { files: ReadonlySet<string>; packages: ReadonlySet<string> } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const follow = (file: URL) => {
    if (files.has(fileURLToPath(file))) return;
    files.add(fileURLToPath(file));
    const text = readFileSync(file, "utf8");
    for (const [, name = ""] of text.matchAll(/^(?:import|export)(?! type)[^;"]*?from "([^"]+)"/gm)) {
      if (name.startsWith(".")) follow(new URL(name.replace(/\.js$/, ".ts"), file));
      else if (!name.startsWith("node:")) packages.add(name);
    }
  };
  follow(start);
  return { files, packages };
}
