import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Manifest, packagesIn, root } from "./readers/packages.js";

const packages = packagesIn("packages");

describe("each package", () => {
  it.each(packages)("$name is described, licensed, typed and publishable", ({ directory, manifest }) => {
    expect(manifest).toMatchObject({
      name: `@skillwright/${directory.replace("packages/", "")}`,
      description: expect.stringMatching(/^[A-Z].{10,}/),
      license: "MIT",
      type: "module",
      engines: { node: ">=22.13" },
      publishConfig: { access: "public" },
    });
    expect(manifest.private).not.toBe(true);
    expect(manifest.files).toEqual(expect.arrayContaining(["dist", "src"]));
    expect(manifest.exports).toHaveProperty(["./package.json"]);
  });

  it.each(packages)(
    "$name has a README that begins with its name, and the root's licence",
    ({ directory, name }) => {
      expect(existsSync(`${root}/${directory}/README.md`), `${directory}/README.md is missing`).toBe(true);
      expect(read(`${directory}/README.md`).split("\n")[0]).toBe(`# ${name}`);
      expect(read(`${directory}/LICENSE`)).toBe(read("LICENSE"));
    },
  );

  it.each(packages)("$name lists its exports as source, types, default, in this order", ({ manifest }) => {
    for (const [subpath, conditions] of codeExports(manifest)) {
      expect(Object.keys(conditions), subpath).toEqual(["@skillwright/source", "types", "default"]);
    }
    expect(codeExports(manifest)).not.toHaveLength(0);
  });

  it("is named by changesets, which name no other package", () => {
    const published = new Set(packages.map(({ name }) => name));
    const changesets = readdirSync(`${root}/.changeset`).filter((file) => file.endsWith(".md"));
    const named = changesets.flatMap((file) =>
      [...read(`.changeset/${file}`).matchAll(/^"(@skillwright\/[^"]+)":/gm)].map(
        ([, name = ""]) => `${file}: ${name}`,
      ),
    );
    expect(named.filter((one) => !published.has(one.split(": ")[1] ?? ""))).toEqual([]);
    expect(named).not.toHaveLength(0);
  });

  it("has the common version of all packages", () => {
    expect(new Set(packages.map(({ manifest }) => manifest.version)).size).toBe(1);
  });
});

function codeExports({ exports }: Manifest) {
  return Object.entries(exports ?? {}).filter(
    (entry): entry is [string, Record<string, string>] => typeof entry[1] !== "string",
  );
}

function read(path: string) {
  return readFileSync(`${root}/${path}`, "utf8");
}
