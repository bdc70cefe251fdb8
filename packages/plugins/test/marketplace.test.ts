import { describe, expect, test } from "vitest";
import { readMarketplace } from "../src/index.js";
import { pluginFolder } from "./plugin-folder.js";

async function read(marketplace: unknown) {
  await using folder = await pluginFolder({ ".claude-plugin/marketplace.json": marketplace });
  return await readMarketplace(folder.root);
}

describe("PLUGIN-29: the plugins of a marketplace of Claude Code are listed with their sources as data", () => {
  test("with name, owner, description and what an entry says", async () => {
    const entry = {
      name: "a",
      source: "./plugins/a/",
      version: "1",
      description: "A.",
      strict: false,
      skills: ["./x"],
    };
    expect(
      await read({
        name: "m",
        owner: { name: "O", email: "o@example.com" },
        metadata: { description: "M." },
        plugins: [entry],
      }),
    ).toEqual({
      ...{ name: "m", owner: { name: "O", email: "o@example.com" }, description: "M.", diagnostics: [] },
      plugins: [
        {
          ...{
            name: "a",
            source: { kind: "folder", path: "plugins/a" },
            version: "1",
            description: "A.",
            strict: false,
          },
          manifest: { name: "a", version: "1", description: "A.", skills: ["./x"] },
        },
      ],
    });
  });

  test.each<[unknown, unknown]>([
    ["./", { kind: "folder", path: "." }],
    ["formatter", { kind: "folder", path: "all/formatter" }],
    [
      { source: "github", repo: "owner/name", ref: "main", sha: "a" },
      { kind: "git", url: "https://github.com/owner/name.git", ref: "main", sha: "a" },
    ],
    [
      { source: "url", url: "https://example.com/a.git" },
      { kind: "git", url: "https://example.com/a.git" },
    ],
    [
      { source: "git-subdir", url: "owner/name", path: "./a/b" },
      { kind: "git", url: "https://github.com/owner/name.git", path: "a/b" },
    ],
    [
      { source: "npm", package: "@a/b", version: "1" },
      { kind: "npm", package: "@a/b", version: "1" },
    ],
  ])("a source %j is read", async (source, expected) => {
    const { plugins } = await read({
      name: "m",
      metadata: { pluginRoot: "./all" },
      plugins: [{ name: "a", source }],
    });
    expect(plugins).toMatchObject([{ source: expected, strict: true }]);
  });

  test.each<unknown>([
    ...[
      undefined,
      "../a",
      "./../a",
      "/a",
      "./a/../../b",
      1,
      { source: "svn" },
      { source: "github", repo: "../a" },
    ],
    ...[
      { source: "url" },
      { source: "url", url: "--upload-pack=x" },
      { source: "git-subdir", url: "https://example.com/a.git", path: "../a" },
      { source: "npm" },
    ],
  ])("an entry with the source %j is left out and reported", async (source) => {
    const { plugins, diagnostics } = await read({
      name: "m",
      plugins: [
        { name: "a", source },
        { name: "b", source: "./b" },
      ],
    });
    expect(plugins.map(({ name }) => name)).toEqual(["b"]);
    expect(diagnostics).toMatchObject([{ code: "plugin.marketplace-entry", severity: "error" }]);
  });

  test.each<[string, unknown]>([
    ["text that is not JSON", "{"],
    ["no object", []],
    ["no name", { plugins: [] }],
    ["no plugins", { name: "m" }],
  ])("%s is refused", async (_, marketplace) => {
    await expect(read(marketplace)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  test("a folder without the file, or with one that leads out, is refused", async () => {
    await using folder = await pluginFolder({
      ".claude-plugin": { link: "../beside" },
      "../beside/marketplace.json": {},
    });
    await expect(readMarketplace(folder.beside)).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
    await expect(readMarketplace(folder.root)).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
  });
});
