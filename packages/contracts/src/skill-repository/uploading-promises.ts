import assert from "node:assert/strict";
import { readText } from "@skillwright/core";
import { failsWith } from "../fails-with.js";
import { skillMarkdown, TWO_SKILLS } from "../seeds.js";
import type { WritableRepositoryPromise } from "./subject.js";
import { stateOf, upload } from "./uploads.js";

export const uploadingPromises: readonly WritableRepositoryPromise[] = [
  {
    id: "writable-skill-repository/upload/stored",
    promise:
      "An uploaded skill can be listed, loaded and opened, with the uploaded bytes and executable bits.",
    seed: TWO_SKILLS,
    run: async ({ repository }) => {
      const binary = Uint8Array.of(0, 255, 13, 10);
      await repository.upload([
        ...upload("new-skill", { "a/data.bin": binary }),
        { path: "run.sh", content: "#!/bin/sh\n", executable: true },
      ]);
      const { skills } = await repository.list();
      assert.deepEqual(
        skills.map(({ name }) => name),
        ["csv", "csv-analyst", "new-skill"],
      );
      const { manifest } = await repository.load("new-skill");
      assert.deepEqual(
        manifest.files.map(({ path, size, executable }) => [path, size, executable]),
        [
          ["SKILL.md", skillMarkdown("new-skill").length, false],
          ["a/data.bin", 4, false],
          ["run.sh", 10, true],
        ],
      );
      const text = await readText(await repository.open("new-skill", "run.sh"), 100);
      assert.equal(text, "#!/bin/sh\n");
    },
  },
  {
    id: "writable-skill-repository/upload/result",
    promise: "upload() returns what load() returns afterwards.",
    seed: {},
    run: async ({ repository }) => {
      const { diagnostics, ...given } = await repository.upload(upload("result", { "x.md": "x" }));
      const loaded = await repository.load("result");
      assert.deepEqual({ ...loaded, ...given }, loaded);
    },
  },
  {
    id: "writable-skill-repository/upload/replaced",
    promise: "An upload removes files of the old skill that it does not contain.",
    seed: TWO_SKILLS,
    run: async ({ repository }) => {
      await repository.upload(upload("csv-analyst", { "only.md": "only" }));
      const { manifest } = await repository.load("csv-analyst");
      const paths = manifest.files.map(({ path }) => path);
      assert.deepEqual(paths, ["SKILL.md", "only.md"]);
      await failsWith(repository.open("csv-analyst", "scripts/run.sh"), "FILE_NOT_FOUND");
    },
  },
  {
    id: "writable-skill-repository/upload/where-it-is",
    promise: "An upload replaces a skill of the same name in its present folder.",
    seed: { "group/old-folder": { "SKILL.md": skillMarkdown("moved") } },
    run: async ({ repository }) => {
      await repository.upload(upload("moved", { "new.md": "new" }));
      const { skills } = await repository.list();
      const places = skills.map(({ name, path }) => [name, path]);
      assert.deepEqual(places, [["moved", "group/old-folder"]]);
      assert.equal((await repository.load("moved")).manifest.files.length, 2);
    },
  },
  {
    id: "writable-skill-repository/upload/other-skill",
    promise:
      "An upload fails with SKILL_EXISTS if the folder of its name holds a skill of another name, which stays.",
    seed: { taken: { "SKILL.md": skillMarkdown("another") } },
    run: async ({ repository }) => {
      const before = await stateOf(repository);
      await failsWith(repository.upload(upload("taken")), "SKILL_EXISTS");
      assert.deepEqual(await stateOf(repository), before);
    },
  },
  {
    id: "writable-skill-repository/upload/other-folder",
    promise:
      "An upload fails with SKILL_EXISTS if the folder of its name is not a skill but contains skills, which stay.",
    seed: { "taken/inner": { "SKILL.md": skillMarkdown("inner") } },
    run: async ({ repository }) => {
      const before = await stateOf(repository);
      await failsWith(repository.upload(upload("taken")), "SKILL_EXISTS");
      assert.deepEqual(await stateOf(repository), before);
    },
  },
  {
    id: "writable-skill-repository/upload/broken-before",
    promise: "An upload replaces a broken skill in the folder of its name.",
    seed: { mended: { "SKILL.md": "no header" } },
    run: async ({ repository }) => {
      await repository.upload(upload("mended"));
      const { skills, broken } = await repository.list();
      assert.deepEqual([skills.length, broken.length], [1, 0]);
    },
  },
  {
    id: "writable-skill-repository/upload/refuse",
    promise:
      "With `existing: refuse`, an upload of an existing skill fails with SKILL_EXISTS and changes nothing.",
    seed: TWO_SKILLS,
    run: async ({ repository }) => {
      const before = await stateOf(repository);
      await failsWith(repository.upload(upload("csv"), { existing: "refuse" }), "SKILL_EXISTS");
      assert.deepEqual(await stateOf(repository), before);
    },
  },
  {
    id: "writable-skill-repository/upload/refuse-new",
    promise: "With `existing: refuse`, an upload of a new skill is stored.",
    seed: TWO_SKILLS,
    run: async ({ repository }) => {
      const stored = await repository.upload(upload("cs"), { existing: "refuse" });
      assert.equal((await repository.load("cs")).digest, stored.digest);
    },
  },
  {
    id: "writable-skill-repository/upload/streams",
    promise: "Files and their contents may be streams, in chunks of any size.",
    seed: {},
    run: async ({ repository }) => {
      await repository.upload(streamed(skillMarkdown("streamed")));
      const text = await readText(await repository.open("streamed", "SKILL.md"), 1000);
      assert.equal(text, skillMarkdown("streamed"));
    },
  },
  {
    id: "writable-skill-repository/upload/own",
    promise: "Changing an argument or a result after the call does not change what is stored.",
    seed: {},
    run: async ({ repository }) => {
      const content = Buffer.from("kept");
      await repository.upload(upload("own", { "data.bin": content }));
      content.fill(0);
      assert.equal(await readText(await repository.open("own", "data.bin"), 100), "kept");
    },
  },
];

async function* streamed(
  skillFile: string,
): AsyncGenerator<{ path: string; content: AsyncIterable<Uint8Array> }> {
  yield { path: "SKILL.md", content: bytewise() };

  async function* bytewise(): AsyncGenerator<Uint8Array> {
    for (const byte of Buffer.from(skillFile)) yield Uint8Array.of(byte);
    yield new Uint8Array(0);
  }
}
