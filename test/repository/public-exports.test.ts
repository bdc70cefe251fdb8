import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { packagesIn, root } from "./readers/packages.js";

const entries = packagesIn("packages").flatMap(({ directory, name, manifest }) =>
  Object.entries(manifest.exports ?? {}).flatMap(([subpath, conditions]) => {
    const source = typeof conditions === "string" ? undefined : conditions["@skillwright/source"];
    return source ? [{ specifier: name + subpath.slice(1), file: `${root}/${directory}/${source}` }] : [];
  }),
);

/**
 * The public exports, one committed list per entry, so that every change is deliberate.
 * After a deliberate change: `npm test -- test/repository/public-exports -u`.
 */
describe("public exports", () => {
  it.each(entries)("of $specifier equal the committed list", async ({ specifier, file }) => {
    const values = Object.keys(await import(pathToFileURL(file).href));
    const lines = [
      ...values.map((name) => `value ${name}`),
      ...exportedTypes(readFileSync(file, "utf8")).map((name) => `type  ${name}`),
    ].sort();
    const list = `${specifier.replace(/^@[^/]+\//, "").replaceAll("/", "-")}.txt`;
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`./public-exports/${list}`);
  });

  it.each(entries)("of $specifier are listed by name", ({ file }) => {
    expect(readFileSync(file, "utf8")).not.toMatch(/^export \*/m);
  });
});

/** Parsed from the text of an entry, because types do not exist at run time. */
function exportedTypes(text: string): string[] {
  const lists = [...text.matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(([, all, names = ""]) =>
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "" && (all !== undefined || name.startsWith("type "))),
  );
  const named = lists.map((name) => name.replace(/^type /, "").replace(/^.* as /, ""));
  const declared = [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = ""]) => name);
  return [...named, ...declared];
}
