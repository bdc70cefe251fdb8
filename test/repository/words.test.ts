import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { root } from "./readers/packages.js";

/** Each word that names must not have, and the word to use instead. The glossary is in `docs/architecture.md`. */
const GIVEN_UP: readonly (readonly [pattern: RegExp, word: string])[] = [
  [/keyed/i, "keep, repeatable"],
  [/durable/i, "resume"],
  [/(^|un)told|Told/, "record"],
  [/^see[A-Z]|^See(Options|To)/, "recover"],
  [/isThere/, "exists"],
  [/goOn|goesOn/, "resume"],
];

test("no exported name has a word for which the glossary has another", () => {
  const found = exportedNames().flatMap((name) =>
    GIVEN_UP.flatMap(([pattern, word]) => (pattern.test(name) ? [`${name}: use ${word}`] : [])),
  );
  expect(found).toEqual([]);
});

/** The names in the committed API reports of all packages. */
function exportedNames(): readonly string[] {
  const reports = readdirSync(`${root}/docs/api`).filter((file) => file.endsWith(".md"));
  const names = reports.flatMap((file) => [
    ...readFileSync(`${root}/docs/api/${file}`, "utf8").matchAll(
      /^export (?:declare )?(?:abstract )?(?:type|interface|function|const|class) (\w+)/gm,
    ),
  ]);
  expect(names.length).toBeGreaterThan(500);
  return names.map(([, name = ""]) => name);
}
