import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readBytes } from "@skillwright/core";
import { failsWith } from "../fails-with.js";
import { inTime } from "../in-time.js";
import { isIsoTime } from "../is-iso-time.js";
import { scribble } from "../scribble.js";
import { endsWhenAborted } from "../traits/aborted.js";
import { refusesHostilePaths } from "../traits/hostile-paths.js";
import { type ArtifactPromise, SCOPE, textOf } from "./subject.js";
import { TRICKY_NAMES } from "./tricky-names.js";

export const savingPromises: readonly ArtifactPromise[] = [
  {
    id: "artifact-store/save/versions",
    promise: "The first version is 0 and each save adds 1; every version keeps its own content.",
    seed: undefined,
    run: async ({ artifacts }) => {
      for (const expected of [0, 1, 2]) {
        const { version } = await artifacts.save(SCOPE, "report.md", `content ${expected}`);
        assert.equal(version, expected);
      }
      for (const version of [0, 1, 2])
        assert.equal(await textOf(artifacts, "report.md", version), `content ${version}`);
    },
  },
  {
    id: "artifact-store/save/described",
    promise:
      "A version has its name, size, SHA-256, MIME type, time and the metadata that was saved with it.",
    seed: undefined,
    run: async ({ artifacts }) => {
      const before = Date.now();
      const metadata = { run: "r1", skill: "sha256:00" };
      const saved = await artifacts.save(SCOPE, "reports/a.csv", "1;2\n", { mimeType: "text/csv", metadata });
      const { createdAt, location, ...rest } = saved;
      assert.deepEqual(rest, {
        name: "reports/a.csv",
        version: 0,
        size: 4,
        sha256: createHash("sha256").update("1;2\n").digest("hex"),
        mimeType: "text/csv",
        metadata: { run: "r1", skill: "sha256:00" },
      });
      assert(isIsoTime(createdAt), createdAt);
      assert(Math.abs(Date.parse(createdAt) - before) < 3_600_000, createdAt);
      assert.deepEqual((await artifacts.open(SCOPE, "reports/a.csv")).artifact, saved);
    },
  },
  {
    id: "artifact-store/save/defaults",
    promise: "The MIME type defaults to application/octet-stream and the metadata to an empty object.",
    seed: undefined,
    run: async ({ artifacts }) => {
      const { mimeType, metadata } = await artifacts.save(SCOPE, "x", "");
      assert.deepEqual([mimeType, metadata], ["application/octet-stream", {}]);
    },
  },
  {
    id: "artifact-store/save/streams",
    promise: "Content may be a stream of any size, and is read back byte for byte.",
    seed: undefined,
    run: async ({ artifacts }) => {
      const saved = await artifacts.save(SCOPE, "big.bin", pieces());
      const { content } = await artifacts.open(SCOPE, "big.bin");
      const bytes = await readBytes(content, 10_000_000);
      assert.deepEqual([saved.size, bytes.byteLength], [4_000_004, 4_000_004]);
      assert.equal(createHash("sha256").update(bytes).digest("hex"), saved.sha256);
    },
  },
  {
    id: "artifact-store/save/names",
    promise: "Every allowed name has its own versions, even if two names are similar.",
    seed: undefined,
    run: async ({ artifacts }) => {
      for (const name of TRICKY_NAMES) {
        const saved = await artifacts.save(SCOPE, name, `of ${name}`);
        assert.deepEqual([saved.name, saved.version], [name, 0]);
      }
      for (const name of TRICKY_NAMES) assert.equal(await textOf(artifacts, name), `of ${name}`);
      const listed = (await artifacts.list(SCOPE)).map(({ name }) => name);
      assert.deepEqual(listed, [...TRICKY_NAMES].sort());
    },
  },
  {
    id: "artifact-store/save/hostile-names",
    promise: "Names that leave their scope or are not in canonical form are refused.",
    seed: undefined,
    run: async ({ artifacts }) => {
      await refusesHostilePaths((name) => artifacts.save(SCOPE, name, "x"));
      assert.deepEqual(await artifacts.list(SCOPE), []);
    },
  },
  {
    id: "artifact-store/save/failing-source",
    promise: "A save whose source fails rejects with the error of the source and stores no version.",
    seed: undefined,
    run: async ({ artifacts }) => {
      const reason = new Error("the source broke");
      assert.equal(
        await artifacts.save(SCOPE, "x", failing(reason)).catch((error: unknown) => error),
        reason,
      );
      assert.deepEqual(await artifacts.versions(SCOPE, "x"), []);
      assert.equal((await artifacts.save(SCOPE, "x", "good")).version, 0);
    },
  },
  {
    id: "artifact-store/save/stalling-source",
    promise: "A save that is aborted while its source stalls fails with ABORTED and stores no version.",
    seed: undefined,
    run: async ({ artifacts }) => {
      const controller = new AbortController();
      const work = artifacts.save(SCOPE, "x", stalling(controller), { signal: controller.signal });
      await inTime(failsWith(work, "ABORTED"), "The aborted save");
      assert.deepEqual(await artifacts.versions(SCOPE, "x"), []);
    },
  },
  {
    id: "artifact-store/save/at-once",
    promise: "Concurrent saves under one name get consecutive version numbers, one each.",
    seed: undefined,
    run: async ({ artifacts }) => {
      const indexes = Array.from({ length: 16 }, (_, index) => index);
      const saved = await Promise.all(
        indexes.map(async (index) => await artifacts.save(SCOPE, "x", `content ${index}`)),
      );
      assert.deepEqual(
        saved.map(({ version }) => version).sort((a, b) => a - b),
        indexes,
      );
      for (const [index, { version }] of saved.entries())
        assert.equal(await textOf(artifacts, "x", version), `content ${index}`);
    },
  },
  {
    id: "artifact-store/save/own",
    promise: "Changing an argument or a result after the call does not change what is stored.",
    seed: undefined,
    run: async ({ artifacts }) => {
      const content = Buffer.from("kept");
      const metadata = { key: "kept" };
      const saved = await artifacts.save(SCOPE, "x", content, { metadata });
      for (const value of [content, metadata, saved]) scribble(value);
      assert.equal(await textOf(artifacts, "x"), "kept");
      assert.deepEqual((await artifacts.list(SCOPE))[0]?.metadata, { key: "kept" });
    },
  },
  endsWhenAborted("artifact-store/save/aborted", undefined, ({ artifacts }, signal) =>
    artifacts.save(SCOPE, "x", "x", { signal }),
  ),
];

async function* pieces(): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(1_000_001);
  for (let index = 0; index < 4; index++) yield piece.fill(index + 1);
}

async function* failing(reason: Error): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(100_000);
  throw reason;
}

async function* stalling(controller: AbortController): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(100_000);
  controller.abort();
  await new Promise(() => undefined);
}
