import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { manifestDigest } from "@skillwright/core";
import { failsWith } from "../fails-with.js";
import { scribble } from "../scribble.js";
import { skillMarkdown, TWO_SKILLS } from "../seeds.js";
import { endsWhenAborted } from "../traits/aborted.js";
import type { RepositoryPromise } from "./subject.js";

const NO_SKILLS = [
  "",
  ".",
  "..",
  "../csv",
  "/",
  "cs",
  "csv-",
  "csv-analyst/scripts",
  "CSV",
  "%63sv",
  "csv\u0000",
];

export const loadingPromises: readonly RepositoryPromise[] = [
  {
    id: "skill-repository/load/body",
    promise: "The body is the Markdown after the frontmatter, trimmed, with LF line endings.",
    seed: {
      s: { "SKILL.md": "---\r\nname: s\r\ndescription: S.\r\n---\r\n\r\n# S\r\n\r\n---\r\nend\r\n\r\n" },
    },
    run: async ({ repository }) => {
      assert.equal((await repository.load("s")).body, "# S\n\n---\nend");
    },
  },
  {
    id: "skill-repository/load/manifest",
    promise:
      "The manifest lists every file with its size, executable bit and SHA-256, sorted by the bytes of the paths.",
    seed: {
      s: {
        "SKILL.md": skillMarkdown("s"),
        "\u{1f600}.md": "emoji",
        "\uff5e.md": "tilde",
        "a/run.sh": { content: "run", executable: true },
        "a.txt": "",
        ".hidden": "kept",
      },
    },
    run: async ({ repository }) => {
      const { files } = (await repository.load("s")).manifest;
      const found = files.map(({ path, size, executable, sha256 }) => [path, size, executable, sha256]);
      const file = (path: string, content: string, executable = false): unknown[] => [
        path,
        Buffer.byteLength(content),
        executable,
        createHash("sha256").update(content).digest("hex"),
      ];
      assert.deepEqual(found, [
        file(".hidden", "kept"),
        file("SKILL.md", skillMarkdown("s")),
        file("a.txt", ""),
        file("a/run.sh", "run", true),
        file("\uff5e.md", "tilde"),
        file("\u{1f600}.md", "emoji"),
      ]);
    },
  },
  {
    id: "skill-repository/load/digest",
    promise: "The digest is that of the manifest, so equal files have equal digests at any path.",
    seed: {
      "a/same": { "SKILL.md": skillMarkdown("same"), "x.txt": "x" },
      "b/same": { "SKILL.md": skillMarkdown("same"), "x.txt": "x" },
    },
    run: async ({ repository }) => {
      const [a, b] = [await repository.load("a/same"), await repository.load("b/same")];
      assert.equal(a.digest, manifestDigest(a.manifest));
      assert.deepEqual([b.digest, b.manifest], [a.digest, a.manifest]);
    },
  },
  {
    id: "skill-repository/load/nested",
    promise: "The files of a skill inside the folder of another skill belong to both skills.",
    seed: {
      outer: { "SKILL.md": skillMarkdown("outer") },
      "outer/inner": { "SKILL.md": skillMarkdown("inner"), "note.txt": "note" },
    },
    run: async ({ repository }) => {
      const paths = async (name: string): Promise<string[]> =>
        (await repository.load(name)).manifest.files.map(({ path }) => path);
      assert.deepEqual(await paths("outer"), ["SKILL.md", "inner/SKILL.md", "inner/note.txt"]);
      assert.deepEqual(await paths("inner"), ["SKILL.md", "note.txt"]);
    },
  },
  {
    id: "skill-repository/load/like-listed",
    promise: "A loaded skill has the same name, path, fields and change mark as in the listing.",
    seed: TWO_SKILLS,
    run: async ({ repository }) => {
      for (const { diagnostics, digest, ...listed } of (await repository.list()).skills) {
        const loaded = await repository.load(listed.name);
        assert.deepEqual({ ...loaded, ...listed }, loaded);
        assert.equal(digest ?? loaded.digest, loaded.digest);
      }
    },
  },
  {
    id: "skill-repository/load/by-path",
    promise: "A name that no skill has is looked up as a path.",
    seed: { "group/one": { "SKILL.md": skillMarkdown("first") } },
    run: async ({ repository }) => {
      const loaded = await repository.load("group/one");
      assert.equal(loaded.name, "first");
    },
  },
  {
    id: "skill-repository/load/name-before-path",
    promise: "A skill with the given name takes precedence over a skill at that path.",
    seed: {
      one: { "SKILL.md": skillMarkdown("two", { body: "at one" }) },
      two: { "SKILL.md": skillMarkdown("one", { body: "at two" }) },
    },
    run: async ({ repository }) => {
      assert.equal((await repository.load("one")).path, "two");
    },
  },
  {
    id: "skill-repository/load/first-path",
    promise: "When two skills have the same name, the one whose path sorts first is loaded.",
    seed: {
      "b/twin": { "SKILL.md": skillMarkdown("twin") },
      "a/twin": { "SKILL.md": skillMarkdown("twin") },
    },
    run: async ({ repository }) => {
      assert.equal((await repository.load("twin")).path, "a/twin");
    },
  },
  {
    id: "skill-repository/load/missing",
    promise: "Loading an unknown name fails with SKILL_NOT_FOUND, even if it is similar to an existing one.",
    seed: TWO_SKILLS,
    run: async ({ repository }) => {
      for (const name of NO_SKILLS) await failsWith(repository.load(name), "SKILL_NOT_FOUND", name);
    },
  },
  {
    id: "skill-repository/load/unknown-version",
    promise: "Loading a version that is not kept fails with SKILL_NOT_FOUND.",
    seed: TWO_SKILLS,
    run: async ({ repository }) => {
      await failsWith(repository.load("csv", { version: "no-such-version" }), "SKILL_NOT_FOUND");
    },
  },
  {
    id: "skill-repository/load/broken",
    promise: "Loading a broken skill fails with SKILL_INVALID.",
    seed: { broken: { "SKILL.md": "no header" } },
    run: async ({ repository }) => {
      await failsWith(repository.load("broken"), "SKILL_INVALID");
    },
  },
  {
    id: "skill-repository/load/own",
    promise: "A caller may change the skill that it has loaded; the repository stays the same.",
    seed: TWO_SKILLS,
    run: async ({ repository }) => {
      const before = await repository.load("csv-analyst");
      const copy = structuredClone(before);
      scribble(before);
      assert.deepEqual(await repository.load("csv-analyst"), copy);
    },
  },
  endsWhenAborted("skill-repository/load/aborted", TWO_SKILLS, ({ repository }, signal) =>
    repository.load("csv", { signal }),
  ),
];
