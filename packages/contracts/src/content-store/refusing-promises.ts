import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readBytes, SkillError } from "@skillwright/core";
import { failsWith } from "../fails-with.js";
import { inTime } from "../in-time.js";
import { endsWhenAborted } from "../traits/aborted.js";
import { closesTwice } from "../traits/closing.js";
import { type ContentPromise, type ContentSubject, source } from "./subject.js";

export const refusingPromises: readonly ContentPromise[] = [
  {
    id: "content-store/refused/mismatch",
    promise: "Content that differs from the manifest fails with DIGEST_MISMATCH, and nothing is kept.",
    seed: undefined,
    run: async (subject) => {
      for (const wrong of ["#!/bin/sh\necho nur\n", "#!/bin/sh\necho run\n\n", "#!", ""]) {
        const { manifest, open } = source(undefined, { "scripts/run.sh": wrong });
        const whole = async (path: string) => await readBytes(await open(path), 1000);
        for (const given of [open, whole]) {
          const work = subject.store.materialize(manifest, given, { owner: "w1" });
          await failsWith(work, "DIGEST_MISMATCH", JSON.stringify(wrong));
        }
      }
      await worksAfterwards(subject);
    },
  },
  {
    id: "content-store/refused/endless",
    promise: "Reading a file stops once it is larger than the manifest says.",
    seed: undefined,
    run: async ({ store }) => {
      const { manifest } = source();
      const work = store.materialize(manifest, async () => endless(), { owner: "w1" });
      await inTime(failsWith(work, "DIGEST_MISMATCH"), "The endless file");
    },
  },
  {
    id: "content-store/refused/failing-source",
    promise: "An error of `open` or of its stream is passed on, and nothing is kept.",
    seed: undefined,
    run: async (subject) => {
      const { manifest } = source();
      const reason = new Error("the source broke");
      const sources = [() => Promise.reject(reason), async () => failing(reason)];
      for (const open of sources) {
        const outcome = await subject.store
          .materialize(manifest, open, { owner: "w1" })
          .catch((error: unknown) => error);
        assert.equal(outcome, reason);
      }
      await worksAfterwards(subject);
    },
  },
  {
    id: "content-store/refused/hostile-manifest",
    promise: "A manifest with a path that leaves its directory is refused before any file is opened.",
    seed: undefined,
    run: async ({ store }) => {
      const { manifest, open, opened } = source();
      const [file] = manifest.files;
      assert(file);
      for (const path of ["../escaped", "/tmp/escaped", "a/../../escaped"]) {
        const hostile = { ...manifest, files: [...manifest.files, { ...file, path }] };
        await failsWith(store.materialize(hostile, open, { owner: "w1" }), "PATH_OUTSIDE", path);
      }
      assert.equal(opened(), 0);
    },
  },
  {
    id: "content-store/refused/stalling-source",
    promise:
      "A call that is aborted while its source stalls fails with ABORTED; other callers of the same digest are not aborted.",
    seed: undefined,
    run: async ({ store }) => {
      const { manifest, open } = source();
      const controller = new AbortController();
      let stalls = (): void => {};
      const begun = new Promise<void>((resolve) => {
        stalls = resolve;
      });
      const stalled = store.materialize(manifest, async () => stalling(stalls), {
        owner: "w1",
        signal: controller.signal,
      });
      // Its failure is looked at below.
      stalled.catch(() => undefined);
      // From here on, the other call waits for this one.
      await inTime(begun, "Reading the source");
      const waiting = store.materialize(manifest, open, { owner: "w2" });
      setTimeout(() => controller.abort(), 20);
      const [first, second] = await inTime(Promise.allSettled([stalled, waiting]), "One of the calls");
      assert(first.status === "rejected" && SkillError.is(first.reason, "ABORTED"), "Not aborted.");
      if (second.status === "rejected") assert.fail(`The other call ended too: ${String(second.reason)}`);
      const script = await readFile(join(second.value.directory, "scripts/run.sh"));
      assert.equal(script.byteLength, 19);
    },
  },
  endsWhenAborted("content-store/materialize/aborted", undefined, ({ store }, signal) => {
    const { manifest, open } = source();
    return store.materialize(manifest, open, { owner: "w1", signal });
  }),
  closesTwice("content-store/close/twice", undefined, ({ store }) => store),
];

/** Refused content must not count as complete for the next caller. */
async function worksAfterwards({ store }: ContentSubject): Promise<void> {
  const { manifest, open } = source();
  const { directory } = await store.materialize(manifest, open, { owner: "w1" });
  const script = await readFile(join(directory, "scripts/run.sh"), "utf8").catch(() => "missing");
  assert.equal(script, "#!/bin/sh\necho run\n");
}

/** Ends after 64 MiB, so that a broken adapter also finishes the test. */
async function* endless(): AsyncGenerator<Uint8Array> {
  for (let count = 0; count < 64; count++) yield new Uint8Array(1024 * 1024);
  throw new Error("The file was read to its end.");
}

async function* failing(reason: Error): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(0);
  throw reason;
}

async function* stalling(stalls: () => void): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(0);
  stalls();
  await new Promise(() => undefined);
}
