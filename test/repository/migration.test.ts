import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { root } from "./readers/packages.js";

const migration = readFileSync(`${root}/docs/migration.md`, "utf8");
/** The names that the migration page lists, with the entry that exports them now. */
const moved = [
  ...[...migration.matchAll(/^\| (`.*?) \| `@skillwright\/core[^|]*\| `([^`]+)`/gm)].map(
    ([, names, entry]) => [entry ?? "", namesIn(names)],
  ),
  ...[...migration.matchAll(/^### .* in `([^`]+)`\n([^#]*)/gm)].map(([, entry, names]) => [
    entry ?? "",
    namesIn(names),
  ]),
] as [string, string[]][];

describe("docs/migration.md", () => {
  it("lists names that moved to each of the entries", () => {
    expect(new Set(moved.map(([entry]) => entry))).toEqual(
      new Set([
        "@skillwright/archive",
        "@skillwright/core/adapter",
        "@skillwright/lint",
        "@skillwright/repository-http",
        "@skillwright/skillbox",
        "@skillwright/tools",
        "@skillwright/workspace",
      ]),
    );
  });

  it.each(moved)("lists names that %s exports", (entry, names) => {
    expect(names).not.toEqual([]);
    const exported = exportsOf(entry);
    expect(names.filter((name) => !exported.has(name))).toEqual([]);
  });
});

function namesIn(text = ""): string[] {
  return [...text.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
}

/** The names in the committed API report of an entry. */
function exportsOf(entry: string): ReadonlySet<string> {
  const [, name = ""] = entry.split("/");
  const report = readFileSync(`${root}/docs/api/${name}.md`, "utf8");
  const section = report.split(`\n## \`${entry}\`\n`)[1]?.split("\n## `")[0] ?? "";
  return new Set(
    [
      ...section.matchAll(
        /^export (?:declare )?(?:abstract )?(?:type|interface|function|const|class) (\w+)/gm,
      ),
    ].map(([, found = ""]) => found),
  );
}
