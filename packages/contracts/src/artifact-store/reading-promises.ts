import assert from "node:assert/strict";
import type { ArtifactScope } from "@skillwright/core";
import { failsWith } from "../fails-with.js";
import { scribble } from "../scribble.js";
import { endsWhenAborted } from "../traits/aborted.js";
import { closesTwice } from "../traits/closing.js";
import { type ArtifactPromise, SCOPE, textOf } from "./subject.js";

/** Scopes that a store might confuse if it joins their parts. */
const SCOPES: readonly ArtifactScope[] = [
  { app: "a", user: "b", session: "c" },
  { app: "a/b", user: "c", session: "d" },
  { app: "a", user: "b/c", session: "d" },
  { app: "A", user: "b", session: "c" },
  { app: "..", user: "..", session: ".." },
  { app: ".", user: "~", session: "v0" },
  { app: "a", user: "b", session: "c c" },
  { app: "a", user: "b", session: "c%20c" },
  { app: "a:b", user: "\u{1f600}", session: "x".repeat(128) },
  { app: "a:b", user: "\u{1f600}", session: "x".repeat(127) },
];

export const readingPromises: readonly ArtifactPromise[] = [
  {
    id: "artifact-store/open/newest",
    promise: "open() without a version opens the newest version.",
    seed: undefined,
    run: async ({ artifacts }) => {
      for (const content of ["first", "second"]) await artifacts.save(SCOPE, "x", content);
      assert.equal(await textOf(artifacts, "x"), "second");
    },
  },
  {
    id: "artifact-store/open/missing",
    promise: "Opening an unknown name or version fails with ARTIFACT_NOT_FOUND.",
    seed: undefined,
    run: async ({ artifacts }) => {
      await artifacts.save(SCOPE, "reports/a.md", "x");
      for (const name of ["reports", "a.md", "reports/a", "reports/a.md/v0", "..", "", "constructor"])
        await failsWith(artifacts.open(SCOPE, name), "ARTIFACT_NOT_FOUND", name);
      for (const version of [1, -1, 0.5])
        await failsWith(
          artifacts.open(SCOPE, "reports/a.md", { version }),
          "ARTIFACT_NOT_FOUND",
          `${version}`,
        );
    },
  },
  {
    id: "artifact-store/open/own",
    promise: "A caller may change the bytes that it has read; the stored bytes stay the same.",
    seed: undefined,
    run: async ({ artifacts }) => {
      await artifacts.save(SCOPE, "x", "kept");
      for await (const piece of (await artifacts.open(SCOPE, "x")).content) piece.fill(0);
      assert.equal(await textOf(artifacts, "x"), "kept");
    },
  },
  {
    id: "artifact-store/scope/apart",
    promise: "Two scopes share nothing, even if their names are similar.",
    seed: undefined,
    run: async ({ artifacts }) => {
      for (const [index, scope] of SCOPES.entries()) {
        assert.deepEqual(await artifacts.list(scope), []);
        await artifacts.save(scope, "x", `of ${index}`);
      }
      for (const [index, scope] of SCOPES.entries()) {
        assert.deepEqual((await artifacts.versions(scope, "x")).length, 1);
        assert.equal(await textOf(artifacts, "x", 0, scope), `of ${index}`);
      }
    },
  },
  {
    id: "artifact-store/scope/refused",
    promise: "A scope with an empty, overlong or unprintable part is refused with INPUT_INVALID.",
    seed: undefined,
    run: async ({ artifacts }) => {
      for (const part of ["", "x".repeat(129), "a\u0000b", "a\nb", "a\ud800", "\udc00a"])
        for (const key of ["app", "user", "session"]) {
          await failsWith(artifacts.save({ ...SCOPE, [key]: part }, "x", "x"), "INPUT_INVALID", key);
          await failsWith(artifacts.list({ ...SCOPE, [key]: part }), "INPUT_INVALID", key);
          await failsWith(artifacts.open({ ...SCOPE, [key]: part }, "x"), "INPUT_INVALID", key);
          await failsWith(artifacts.versions({ ...SCOPE, [key]: part }, "x"), "INPUT_INVALID", key);
        }
    },
  },
  {
    id: "artifact-store/list/newest",
    promise: "list() returns the newest version of each artifact, sorted by name.",
    seed: undefined,
    run: async ({ artifacts }) => {
      for (const name of ["b", "a/z", "c", "b", "a"]) await artifacts.save(SCOPE, name, "x");
      const listed = (await artifacts.list(SCOPE)).map(({ name, version }) => `${name}@${version}`);
      assert.deepEqual(listed, ["a@0", "a/z@0", "b@1", "c@0"]);
    },
  },
  {
    id: "artifact-store/list/own",
    promise: "A caller may change the listing that it has received; the stored data stays the same.",
    seed: undefined,
    run: async ({ artifacts }) => {
      await artifacts.save(SCOPE, "x", "x", { metadata: { key: "kept" } });
      for (const read of [() => artifacts.list(SCOPE), () => artifacts.versions(SCOPE, "x")]) {
        const copy = structuredClone(await read());
        scribble(await read());
        assert.deepEqual(await read(), copy);
      }
    },
  },
  {
    id: "artifact-store/versions/all",
    promise: "versions() returns the versions from oldest to newest, and an empty list for an unknown name.",
    seed: undefined,
    run: async ({ artifacts }) => {
      for (let index = 0; index < 12; index++) await artifacts.save(SCOPE, "x", `${index}`);
      const versions = await artifacts.versions(SCOPE, "x");
      assert.deepEqual(
        versions.map(({ version }) => version),
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
      );
      assert.deepEqual(await artifacts.versions(SCOPE, "unknown"), []);
    },
  },
  {
    id: "artifact-store/delete/removed",
    promise:
      "delete() removes all versions of one artifact and returns true, then false; other artifacts stay.",
    seed: undefined,
    run: async ({ artifacts }) => {
      for (const name of ["a", "a", "a/b", "ab"]) await artifacts.save(SCOPE, name, name);
      assert.equal(await artifacts.delete(SCOPE, "a"), true);
      assert.equal(await artifacts.delete(SCOPE, "a"), false);
      await failsWith(artifacts.open(SCOPE, "a", { version: 0 }), "ARTIFACT_NOT_FOUND");
      assert.deepEqual(
        (await artifacts.list(SCOPE)).map(({ name }) => name),
        ["a/b", "ab"],
      );
    },
  },
  endsWhenAborted("artifact-store/open/aborted", undefined, ({ artifacts }, signal) =>
    artifacts.open(SCOPE, "x", { signal }),
  ),
  endsWhenAborted("artifact-store/list/aborted", undefined, ({ artifacts }, signal) =>
    artifacts.list(SCOPE, { signal }),
  ),
  endsWhenAborted("artifact-store/versions/aborted", undefined, ({ artifacts }, signal) =>
    artifacts.versions(SCOPE, "x", { signal }),
  ),
  endsWhenAborted("artifact-store/delete/aborted", undefined, ({ artifacts }, signal) =>
    artifacts.delete(SCOPE, "x", { signal }),
  ),
  closesTwice("artifact-store/close/twice", undefined, ({ artifacts }) => artifacts),
];
