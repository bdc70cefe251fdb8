import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { root } from "./readers/packages.js";
import { sourceFiles } from "./readers/source-files.js";

const texts = sourceFiles(".", /\.(md|json|ya?ml|ts|mts|mjs|js|sh|py|html|svg|css|toml)$|\/run$|rc$/);

/** Assembled here, so that this file passes its own test. */
const addresses = [
  ["registry", "npmjs", "org"],
  ["registry", "yarnpkg", "com"],
  ["registry", "npmmirror", "com"],
].map((labels) => labels.join("."));

describe("committed files", () => {
  it("are found", () => {
    expect(texts.map(({ path }) => path)).toContain("package.json");
  });

  it("contain no address of a package registry, which is a setting of the user", () => {
    for (const address of addresses) expect(filesWith(address)).toEqual([]);
  });

  it("contain no directory of the machine on which they were written", () => {
    expect(filesWith(root).filter((path) => root.split("/").length > 2 || path === "")).toEqual([]);
    const home = homedir();
    if (home.split("/").length > 2) expect(filesWith(`${home}/`)).toEqual([]);
  });
});

function filesWith(text: string): string[] {
  return texts.filter((file) => file.text.includes(text)).map(({ path }) => path);
}
