import { skillMarkdown } from "@skillwright/contracts";
import { readBytes, type SkillRepository } from "@skillwright/core";
import { expect, onTestFinished, test } from "vitest";
import { mcpRepository } from "../src/index.js";
import {
  type Answers,
  addressOf,
  CACHE,
  content,
  fileEntry,
  honestAnswers,
  hostileServer,
} from "./hostile-server.js";

const TEXT = skillMarkdown("one");
const FRONTMATTER = { name: "one", description: "Does what one does." };
const OWN = fileEntry(addressOf("one", "SKILL.md"), Buffer.from(TEXT));
const OTHER = fileEntry("skill://one/a.txt", Buffer.from("a"));

/** A honest skill beside each hostile one, which must stay usable. */
const GOOD = honestAnswers({ good: { "SKILL.md": skillMarkdown("good") } });

test.each([
  ["the folder above", "skill://one/../other/a.txt", "PATH"],
  ["another skill", "skill://other/a.txt", "outside of the skill"],
  ["another server's scheme", "file:///etc/passwd", "outside of the skill"],
  ["an encoded folder above", "skill://one/%2e%2e/a.txt", "PATH"],
  ["a folder above inside of a part", "skill://one/x%2F..%2F..%2Fa.txt", "kept as written"],
  ["an absolute path", "skill://one//etc/passwd", "PATH"],
  ["a drive", "skill://one/C:/x", "PATH"],
  ["a backslash", "skill://one/..%5Cx", "PATH"],
  ["NUL", "skill://one/a%00.txt", "PATH"],
  ["a line end", "skill://one/a%0Ab.txt", "PATH"],
  ["a name that is too long", `skill://one/${"x".repeat(300)}`, "PATH"],
  ["a path that is too long", `skill://one/${"d/".repeat(600)}f`, "PATH"],
  ["half an escape", "skill://one/a%ff%", "kept as written"],
  ["data of version control", "skill://one/.git/config", "file.version-control"],
  ["installed packages", "skill://one/node_modules/x/index.js", "file.installed"],
  ["a file of that name", "skill://one/SKILL.md/deeper", "file.twice"],
])("a file with %s leaves its skill in no way (MCP-21)", async (_, uri, what) => {
  const repository = await offering([entry({ resources: [OWN, fileEntry(uri, Buffer.from("x"))] })]);
  const { skills, broken } = await repository.list();
  expect(skills.map(({ name }) => name)).toContain("good");
  if (what === "outside of the skill") {
    expect(broken).toMatchObject([{ path: "one", diagnostics: [{ code: "mcp.entry" }] }]);
    expect(broken[0]?.diagnostics[0]?.message).toContain(what);
    await expect(repository.load("one")).rejects.toMatchObject({ code: "SKILL_INVALID" });
    return;
  }
  const { manifest, diagnostics } = await repository.load("one");
  const paths = manifest.files.map(({ path }) => path);
  if (what === "kept as written")
    return expect(paths).toEqual(["SKILL.md", uri.slice("skill://one/".length)]);
  expect(paths).toEqual(["SKILL.md"]);
  expect(diagnostics).toMatchObject([{ code: what === "PATH" ? "file.name" : what }]);
});

test.each([
  ["no object", 17],
  ["no address", entry({ uri: undefined })],
  ["an address without a name", entry({ uri: "skill:///SKILL.md" })],
  ["an address of another file", entry({ uri: "skill://one/README.md" })],
  ["an address without a scheme", entry({ uri: "../SKILL.md" })],
  ["an address that leaves its place", entry({ uri: "skill://one/../../SKILL.md" })],
  ["no frontmatter", entry({ frontmatter: undefined })],
  ["a list as frontmatter", entry({ frontmatter: ["name"] })],
  ["files that are told later", entry({ resources: "dynamic" })],
  ["a file without a digest", entry({ resources: [OWN, { ...OTHER, digest: undefined }] })],
  ["a digest of another kind", entry({ resources: [OWN, { ...OTHER, digest: "md5:00" }] })],
  ["a digest in upper case", entry({ resources: [OWN, { ...OTHER, digest: OTHER.digest.toUpperCase() }] })],
  ["a file without a size", entry({ resources: [OWN, { ...OTHER, size: undefined }] })],
  ["a negative size", entry({ resources: [OWN, { ...OTHER, size: -1 }] })],
  ["a size that is no whole number", entry({ resources: [OWN, { ...OTHER, size: 1.5 }] })],
  ["a size beyond all numbers", entry({ resources: [OWN, { ...OTHER, size: 2 ** 60 }] })],
])("an entry with %s is a broken skill, and hides no other (MCP-21)", async (_, value) => {
  const { skills, broken } = await (await offering([value])).list();
  expect(skills.map(({ name }) => name)).toEqual(["good"]);
  expect(broken).toMatchObject([{ diagnostics: [{ code: "mcp.entry", severity: "error" }] }]);
});

test.each([
  ["no SKILL.md", entry({ resources: [OTHER] }), "skill-file.missing"],
  [
    "a SKILL.md of more than 1 MiB",
    entry({ resources: [{ ...OWN, size: 2 ** 20 + 1 }] }),
    "skill-file.too-large",
  ],
  ["more than 16 MiB", entry({ resources: [OWN, { ...OTHER, size: 2 ** 24 }] }), "skill.too-large"],
  ["more than 512 files", entry({ resources: [OWN, ...many(512)] }), "skill.too-many-files"],
  ["no description", entry({ frontmatter: { name: "one" } }), "description.missing"],
  [
    "a header of 200,000 characters",
    entry({ frontmatter: { ...FRONTMATTER, x: "x".repeat(200_000) } }),
    "yaml.resource-limit",
  ],
])("a skill with %s is broken by the rule for all repositories (MCP-21)", async (_, value, code) => {
  const { skills, broken } = await (await offering([value])).list();
  expect(skills.map(({ name }) => name)).toEqual(["good"]);
  expect(broken.map(({ diagnostics }) => diagnostics[0]?.code)).toEqual([code]);
});

test("an entry that is nested a hundred thousand times is a broken skill (MCP-21)", async () => {
  const good = GOOD.page(undefined) as { skills: readonly unknown[] };
  const hostile = entry({ frontmatter: { ...FRONTMATTER, x: "@" } });
  const server = await hostileServer({
    ...GOOD,
    page: () => ({ ...CACHE, skills: [hostile, ...good.skills] }),
  });
  onTestFinished(() => server.close());
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  await using repository = mcpRepository({
    server: {
      url: server.url,
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        return new Response((await response.text()).replace('"@"', deep), response);
      },
    },
  });
  const { skills, broken } = await repository.list();
  expect(skills.map(({ name }) => name)).toEqual(["good"]);
  expect(broken.map(({ diagnostics }) => diagnostics[0]?.code)).toEqual(["mcp.entry"]);
});

test("a skill that is listed twice is used as it was listed first, and reported once (MCP-21)", async () => {
  const twin = entry({ frontmatter: { name: "one", description: "Another one." } });
  const repository = await offering([entry({}), twin, twin]);
  const { skills, diagnostics } = await repository.list();
  expect(skills.map(({ path, description }) => `${path}: ${description}`)).toEqual([
    "good: Does what good does.",
    "one: Does what one does.",
  ]);
  expect(diagnostics.map(({ code }) => code)).toEqual(["mcp.entry-twice"]);
});

test("texts that would move a cursor or hide something are those of the file, made safe as in any repository (MCP-21)", async () => {
  const description = "Red \u001b[31m and \u202e reversed\nand a second line.";
  const text = `---\n${JSON.stringify({ name: "one", description })}\n---\n`;
  const repository = await offering(
    [
      entry({
        frontmatter: { name: "one", description },
        resources: [fileEntry(OWN.uri, Buffer.from(text))],
      }),
    ],
    { [OWN.uri]: text },
  );
  const summary = (await repository.list()).skills.find(({ name }) => name === "one");
  expect(summary?.description).toBe((await repository.load("one")).description);
  expect(summary?.description).not.toMatch(/\p{Cc}/u);
  expect(summary?.diagnostics.map(({ code, line }) => [code, line])).toEqual([
    ["text.control-characters", undefined],
  ]);
});

test.each([
  ["other bytes of the same size", { text: TEXT.replace("well", "ill!") }, "DIGEST_MISMATCH"],
  ["more bytes", { text: `${TEXT}\nMore.` }, "DIGEST_MISMATCH"],
  ["fewer bytes", { text: "" }, "DIGEST_MISMATCH"],
  ["bytes that are no base64", { blob: "****" }, "BACKEND_FAILED"],
  ["no content", undefined, "BACKEND_FAILED"],
])("a file of which the server sends %s is refused (MCP-19)", async (_, sent, code) => {
  const repository = await offering([entry({})], {}, (uri) => ({
    ...CACHE,
    contents: sent ? [{ uri, ...sent }] : [],
  }));
  const error = await repository.load("one").catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code });
  if (code === "DIGEST_MISMATCH")
    expect(String(error)).toMatch(/the file "SKILL\.md" of the skill "one" .*listed it with .*Refresh/);
});

test.each([
  ["description", { name: "one", description: "Something harmless." }],
  ["allowed-tools", { ...FRONTMATTER, "allowed-tools": "Read" }],
  ["name", { name: "other", description: "Does what one does." }],
])("a SKILL.md whose field %s is not the listed one is refused (MCP-19)", async (field, frontmatter) => {
  const repository = await offering([entry({ frontmatter })], { [OWN.uri]: TEXT });
  await expect(repository.load(frontmatter.name)).rejects.toMatchObject({
    code: "SKILL_INVALID",
    message: expect.stringContaining(`"${field}"`),
  });
});

test("a listing reads no file, and a load reads SKILL.md alone (MCP-19)", async () => {
  const server = await hostileServer(
    honestAnswers({ one: { "SKILL.md": TEXT, "a.txt": "a", "run.sh": { content: "x", executable: true } } }),
  );
  onTestFinished(() => server.close());
  await using repository = mcpRepository({ server: { url: server.url } });
  await repository.list();
  await repository.find?.("one");
  expect(server.state.requests).toEqual(["list"]);
  const { manifest } = await repository.load("one");
  expect(manifest.files.map(({ path, executable }) => [path, executable])).toEqual([
    ["SKILL.md", false],
    ["a.txt", false],
    ["run.sh", false],
  ]);
  expect(server.state.requests).toEqual(["list", "read skill://one/SKILL.md"]);
  expect(Buffer.from(await readBytes(await repository.open("one", "a.txt"), 10)).toString()).toBe("a");
});

function entry(changed: Readonly<Record<string, unknown>>): unknown {
  return { uri: OWN.uri, frontmatter: FRONTMATTER, resources: [OWN], ...changed };
}

function many(count: number): readonly unknown[] {
  return Array.from({ length: count }, (_, at) => fileEntry(`skill://one/${at}.txt`, Buffer.from("x")));
}

/** The entries, and a good one, of a server that sends `files` for their addresses. */
async function offering(
  entries: readonly unknown[],
  files: Readonly<Record<string, string>> = { [OWN.uri]: TEXT },
  read?: Answers["read"],
): Promise<SkillRepository> {
  const good = GOOD.page(undefined) as { skills: readonly unknown[] };
  const server = await hostileServer({
    page: () => ({ ...good, skills: [...entries, ...good.skills] }),
    read: read ?? ((uri) => content(uri, Buffer.from(files[uri] ?? ""))),
  });
  const repository = mcpRepository({ server: { url: server.url } });
  onTestFinished(async () => {
    await repository.close();
    await server.close();
  });
  return repository;
}
