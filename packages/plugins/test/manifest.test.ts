import { describe, expect, test } from "vitest";
import { readPlugin } from "../src/index.js";
import { MANIFEST, pluginFolder, SCHEMA, skillText } from "./plugin-folder.js";

/** What reading a plugin with this plugin.json gives. */
async function read(manifest: unknown) {
  await using folder = await pluginFolder({
    "plugin.json": manifest,
    "skills/one/SKILL.md": skillText("one"),
  });
  return await readPlugin(folder.root);
}

const FULL = {
  ...{ name: "acme.tools", version: "not-semantic", description: "Tools.", homepage: "no address" },
  ...{
    author: { name: "A", email: "no address", url: "" },
    repository: "r",
    license: "Own",
    keywords: ["a"],
  },
  extensions: { "com.example.client": { setting: true } },
};

describe("PLUGIN-01: plugin.json is parsed and validated before anything else is read", () => {
  test("every field of a valid manifest is returned", async () => {
    const plugin = await read({ $schema: SCHEMA, ...FULL });
    expect(plugin).toMatchObject({ format: "agent-plugins", manifest: FULL, diagnostics: [] });
    expect(plugin.skills.map(({ name }) => name)).toEqual(["one"]);
  });

  test("a byte order mark is skipped", async () => {
    expect((await read(`\ufeff${JSON.stringify(MANIFEST)}`)).manifest).toEqual({ name: "example" });
  });

  test("a name that an object has twice is reported, in nested objects too", async () => {
    const { manifest, diagnostics } = await read(
      `{"$schema": "${SCHEMA}", "name": "a", "n\\u0061me": "b", "author": {"url": "{", "url": "name"}}`,
    );
    expect(manifest).toEqual({ name: "b", author: { url: "name" } });
    expect(diagnostics.map(({ code, message }) => [code, /"(\w+)"/.exec(message)?.[1]])).toEqual([
      ["plugin.repeated-name", "name"],
      ["plugin.repeated-name", "url"],
    ]);
  });

  test.each<[string, unknown, RegExp]>([
    ["text that is not JSON", "{", /is not JSON/],
    ["no object", [], /expected an object/],
    ["null", null, /expected an object/],
    ["a version that is no text", { ...MANIFEST, version: 1 }, /- version: given 1; expected a text/],
    ["an author that is a text", { ...MANIFEST, author: "Me" }, /- author: given "Me"; expected an object/],
    ["an author with another field", { ...MANIFEST, author: { age: "1" } }, /author.age/],
    ["an author's name that is no text", { ...MANIFEST, author: { name: 1 } }, /author.name/],
    ["keywords that are a text", { ...MANIFEST, keywords: "a" }, /keywords: given "a"/],
    ["a keyword that is no text", { ...MANIFEST, keywords: ["a", 1] }, /keywords/],
    ["a license that is null", { ...MANIFEST, license: null }, /license: given null/],
    ["an extension that is no object", { ...MANIFEST, extensions: { "a.b": 1 } }, /extensions.a.b: given 1/],
  ])("a plugin is rejected with %s", async (_, manifest, message) => {
    await expect(read(manifest)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(message),
    });
  });

  test("a plugin is rejected with bytes that are not UTF-8, with too many of them, and without a file", async () => {
    await using folder = await pluginFolder({ "plugin.json/file": "" });
    await expect(readPlugin(folder.root)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(readPlugin(folder.beside)).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
    await expect(readPlugin(`${folder.root}/none`)).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
    const [start = "", end = ""] = JSON.stringify({ ...MANIFEST, version: "?" }).split("?");
    const bytes = Buffer.concat([Buffer.from(start), Buffer.from([0xff]), Buffer.from(end)]);
    await expect(read(bytes)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(read(JSON.stringify(MANIFEST).padEnd(1024 * 1024 + 1))).rejects.toMatchObject({
      code: "LIMIT_EXCEEDED",
      details: { limit: 1024 * 1024 },
    });
  });
});

describe("PLUGIN-02: a manifest needs $schema and name", () => {
  test.each<[string, unknown]>([
    ["no $schema", { name: "a" }],
    ["a $schema that is no text", { ...MANIFEST, $schema: 1 }],
    ["an empty $schema", { ...MANIFEST, $schema: "" }],
    ["no name", { $schema: SCHEMA }],
    ["a name that is no text", { ...MANIFEST, name: ["a"] }],
  ])("a plugin is rejected with %s, which the error names", async (what, manifest) => {
    const path = /\$schema|name/.exec(what)?.[0];
    await expect(read(manifest)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      details: { fields: [{ path }] },
    });
  });

  test.each(["1.0.1", "1.1.0", "2.0.0"])(
    "a plugin of version %s is unsupported, and nothing is fetched",
    async (version) => {
      const $schema = SCHEMA.replace("1.0.0", version);
      await expect(read({ ...MANIFEST, $schema })).rejects.toMatchObject({
        code: "UNSUPPORTED",
        message: expect.stringContaining(version),
      });
    },
  );

  test("an identifier that only resembles the supported one is another version", async () => {
    for (const $schema of [`${SCHEMA}#`, SCHEMA.toUpperCase(), ` ${SCHEMA}`, SCHEMA.replace("https", "http")])
      await expect(read({ ...MANIFEST, $schema })).rejects.toMatchObject({ code: "UNSUPPORTED" });
  });
});

describe("PLUGIN-03: the name of a plugin has one form", () => {
  test.each(["my-plugin", "acme.tools", "lint3r", "a", "0", "a.-b", "a".repeat(64)])(
    "%s is accepted",
    async (name) => {
      expect((await read({ ...MANIFEST, name })).manifest.name).toBe(name);
    },
  );

  test.each([
    "",
    "My-Plugin",
    "-start",
    "end-",
    ".a",
    "a.",
    "a--b",
    "a..b",
    "a_b",
    "a b",
    "ä",
    "a\n",
    "../a",
    "a".repeat(65),
  ])("%j is rejected", async (name) => {
    await expect(read({ ...MANIFEST, name })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      details: { fields: [{ path: "name" }] },
    });
  });
});

test("PLUGIN-04: an unknown field is reported and ignored", async () => {
  const { manifest, skills, diagnostics } = await read(
    `{"$schema": "${SCHEMA}", "name": "a", "skills": "./other", "__proto__": {"version": "9"}}`,
  );
  expect(manifest).toEqual({ name: "a" });
  expect(manifest.version).toBeUndefined();
  expect(skills).toHaveLength(1);
  expect(diagnostics).toMatchObject([
    {
      code: "plugin.unknown-field",
      severity: "warning",
      message: expect.stringContaining('"skills"'),
      path: "plugin.json",
    },
    { code: "plugin.unknown-field", message: expect.stringContaining('"__proto__"') },
  ]);
});

describe("PLUGIN-05: extensions have no effect", () => {
  test.each<unknown>([[], "x", 1, null, true])(
    "extensions of %j are reported and ignored",
    async (extensions) => {
      const { manifest, skills, diagnostics } = await read({ ...MANIFEST, extensions });
      expect(manifest).toEqual({ name: "example" });
      expect(skills).toHaveLength(1);
      expect(diagnostics.map(({ code }) => code)).toEqual(["plugin.extensions-ignored"]);
    },
  );

  test("the content of a namespace is not checked", async () => {
    const extensions = { "com.example.client": { name: 1, $schema: null, deep: [[{}]] }, x: {} };
    expect(await read({ ...MANIFEST, extensions })).toMatchObject({
      manifest: { extensions },
      diagnostics: [],
    });
  });
});

test("PLUGIN-01: JSON with very many levels rejects the manifest, with a reason", async () => {
  const version = "[".repeat(100_000) + "]".repeat(100_000);
  await using folder = await pluginFolder({
    "plugin.json": JSON.stringify({ ...MANIFEST, version: 0 }).replace(":0", `:${version}`),
  });
  await expect(readPlugin(folder.root)).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringContaining("more than 1000 levels"),
  });
});

test("PLUGIN-01: names of fields in the reason of a rejection are on one line, without control characters", async () => {
  await using folder = await pluginFolder({
    "plugin.json": { ...MANIFEST, author: { "\u001b[31m\n- name": "a" }, extensions: { "\u009b": 1 } },
  });
  const reading = readPlugin(folder.root);
  await expect(reading).rejects.toThrow("- author.\\u{1b}[31m - name: given");
  await expect(reading).rejects.toThrow("- extensions.\\u{9b}: given");
});
