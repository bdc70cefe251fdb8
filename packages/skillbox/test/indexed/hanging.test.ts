import type { Closable, MetadataIndex } from "@skillwright/core";
import { indexed } from "@skillwright/skillbox";
import { expect, test } from "vitest";
import { counted, namesOf, uploadOf } from "./counted.js";

const FAILED = [{ code: "index.failed", severity: "warning" }];
const hangs = () => new Promise<never>(() => undefined);

test("an index that does not answer in time hides no skill and is reported", async () => {
  const { repository, index } = counted("alpha");
  const skills = indexed(repository, { ...index, read: hangs }, { timeoutMs: 20 });
  const { skills: found, diagnostics } = await skills.list();
  expect([namesOf({ skills: found }), diagnostics]).toMatchObject([["alpha"], FAILED]);
  expect(diagnostics[0]?.message).toMatch(/"memory".*BACKEND_FAILED.*20 ms/);
  await expect(skills.refresh()).rejects.toMatchObject({ code: "BACKEND_FAILED" });
});

test("an upload that the index does not accept in time takes effect, is reported, and is added later", async () => {
  const { repository, plain, index, asks } = counted("alpha");
  let isHanging = false;
  const write: MetadataIndex["write"] = (change) => (isHanging ? hangs() : index.write(change));
  const skills = indexed(repository, { ...index, write }, { timeoutMs: 200 });
  await skills.list();
  isHanging = true;
  expect((await skills.upload(uploadOf("beta"))).diagnostics).toMatchObject(FAILED);
  isHanging = false;
  expect(await skills.list()).toMatchObject({
    skills: [{ name: "alpha" }, { name: "beta" }],
    diagnostics: [],
  });
  expect(namesOf((await plain.read()) ?? { skills: [] })).toEqual(["alpha", "beta"]);
  asks();
  await skills.list();
  expect(asks()).toEqual(["read"]);
});

test("a change that the index applies too late reverts nothing", async () => {
  const { memory, repository, plain, index } = counted("alpha");
  let late: Promise<unknown> = Promise.resolve();
  let isLate = false;
  let pass: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    pass = resolve;
  });
  const write: MetadataIndex["write"] = async (change) => {
    if (!isLate) return await plain.write(change);
    late = passed.then(() => plain.write(change)).catch(() => undefined);
    return await hangs();
  };
  const skills = indexed(repository, { ...index, write }, { timeoutMs: 50 });
  await skills.list();
  isLate = true;
  await skills.upload(uploadOf("beta"));
  isLate = false;
  await indexed(memory, plain).delete("beta");
  pass();
  await late;
  expect(namesOf(await skills.list())).toEqual(["alpha"]);
  expect(namesOf((await plain.read()) ?? { skills: [] })).toEqual(["alpha"]);
});

test("the caller's signal ends a call before the timeout, and is passed on to the index", async () => {
  const { repository, index } = counted("alpha");
  const signals: (AbortSignal | undefined)[] = [];
  const read: MetadataIndex["read"] = async ({ signal } = {}) => {
    signals.push(signal);
    return await hangs();
  };
  const controller = new AbortController();
  const listing = indexed(repository, { ...index, read }).list({ signal: controller.signal });
  controller.abort();
  await expect(listing).rejects.toMatchObject({ code: "ABORTED" });
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
});

test("a subscription that arrives too late is closed", async () => {
  const { repository, index } = counted("alpha");
  let closed = 0;
  let subscribed: (subscription: Closable) => void = () => undefined;
  const subscribe = () =>
    new Promise<Closable>((resolve) => {
      subscribed = resolve;
    });
  const skills = indexed(repository, { ...index, subscribe }, { timeoutMs: 20 });
  await expect(skills.watch(() => undefined)).rejects.toMatchObject({ code: "BACKEND_FAILED" });
  const close = async (): Promise<void> => void closed++;
  subscribed({ close, [Symbol.asyncDispose]: close });
  await expect.poll(() => closed).toBe(1);
});

test("a timeout that is not a whole number from 1 is CONFIG_INVALID", () => {
  const { repository, index } = counted();
  for (const timeoutMs of [0, -1, 1.5, Number.NaN])
    expect(() => indexed(repository, index, { timeoutMs })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringContaining("timeoutMs") }),
    );
});

test("after a notice, an index that did not answer is asked again, and the listing has the change", async () => {
  const { repository, index } = counted("alpha");
  const other = indexed(repository, index);
  await other.list();
  let isAway = true;
  const read: MetadataIndex["read"] = (options) => (isAway ? hangs() : index.read(options));
  const skills = indexed(repository, { ...index, read }, { timeoutMs: 20, retryEveryMs: 60_000 });
  let notices = 0;
  const watching = await skills.watch(() => void notices++);
  expect(namesOf(await skills.list())).toEqual(["alpha"]);
  isAway = false;
  await other.upload(uploadOf("beta"));
  await expect.poll(() => notices).toBeGreaterThan(0);
  const listing = await skills.list();
  expect([namesOf(listing), listing.diagnostics]).toEqual([["alpha", "beta"], []]);
  await watching.close();
  await Promise.all([skills.close(), other.close()]);
});

test("an unavailable index is waited for once, and asked in the background later", async () => {
  const { repository, index, asks } = counted("alpha");
  await indexed(repository, index).list();
  let isAway = true;
  const read: MetadataIndex["read"] = (options) => (isAway ? hangs() : index.read(options));
  const limits = { timeoutMs: 20, retryEveryMs: 1, checkEveryMs: Number.POSITIVE_INFINITY };
  const skills = indexed(repository, { ...index, read }, { ...limits, retryEveryMs: 60_000 });
  asks();
  for (let round = 0; round < 10; round++) expect((await skills.list()).diagnostics).toMatchObject(FAILED);
  expect(asks()).toEqual(["list"]);
  await skills.upload(uploadOf("beta"));
  expect(namesOf(await skills.list())).toEqual(["alpha", "beta"]);
  const patient = indexed(repository, { ...index, read }, limits);
  await patient.list();
  isAway = false;
  await expect.poll(async () => (await patient.list()).diagnostics).toEqual([]);
  expect(namesOf(await patient.list())).toEqual(["alpha", "beta"]);
  await Promise.all([skills.close(), patient.close()]);
});
