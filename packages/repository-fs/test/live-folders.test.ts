import { expect, onTestFinished, test } from "vitest";
import { liveFolders } from "../src/watch/live-folders.js";
import { seesEveryChange } from "../src/watch/local-file-system.js";
import { temporaryDirectory } from "./fs-subject.js";

test("a scan that started before directories were watched does not vouch for later changes, the next one does", async () => {
  const { root, dispose } = await temporaryDirectory();
  onTestFinished(dispose);
  const live = liveFolders(root, 10);
  onTestFinished(() => live.stop());
  const places = { diagnostics: [], groups: [root], paths: undefined, skills: [], isWatchable: true };
  const scanned = async () => {
    await live.cover(places);
    await live.settle(places);
    return await live.isUnchanged(undefined);
  };
  live.begin();
  live.start({ onEvent: () => undefined, onShortage: (error) => expect.unreachable(String(error)) });
  expect(await scanned()).toBe(false);
  live.begin();
  expect(await scanned()).toBe(await seesEveryChange(root));
});
