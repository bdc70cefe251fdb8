import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { root } from "./readers/packages.js";
import { sourceFiles } from "./readers/source-files.js";

const texts = sourceFiles(".", /\.(md|json|ya?ml|ts|mts|mjs|js|sh|py|html|svg|css|toml)$|\/run$|rc$/);

/** Put together here, so that this file passes its own test. */
const addresses = [
  ["registry", "npmjs", "org"],
  ["registry", "yarnpkg", "com"],
  ["registry", "npmmirror", "com"],
].map((labels) => labels.join("."));

describe("what is committed", () => {
  it("is found", () => {
    expect(texts.map(({ path }) => path)).toContain("package.json");
  });

  it("names no package registry: which one to use is the user's own setting", () => {
    for (const address of addresses) expect(filesWith(address)).toEqual([]);
  });

  it("names no folder of the machine that it was written on", () => {
    expect(filesWith(root).filter((path) => root.split("/").length > 2 || path === "")).toEqual([]);
    const home = homedir();
    if (home.split("/").length > 2) expect(filesWith(`${home}/`)).toEqual([]);
  });
});

function filesWith(text: string): string[] {
  return texts.filter((file) => file.text.includes(text)).map(({ path }) => path);
}
