import { SkillError } from "@skillwright/core";
import { expect, test } from "vitest";
import { localSubject } from "./local-subject.js";

test("a note is visible to another process, is kept beside the staged skills, and is removed with the workspace", async () => {
  const { runtime, other, dispose } = await localSubject("none");
  const workspace = await runtime.create("w1");
  const skill = { name: "s", digest: "sha256:1", files: async function* () {} };
  await Promise.all([
    workspace.note?.("a", "one"),
    workspace.stage(skill),
    workspace.note?.("__proto__", "two"),
  ]);
  const attached = await other.attach("w1");
  expect(await attached?.notes?.()).toEqual(
    new Map([
      ["a", "one"],
      ["__proto__", "two"],
    ]),
  );
  expect(await attached?.staged()).toEqual(new Map([["s", "sha256:1"]]));
  await attached?.note?.("a", undefined);
  expect([...((await workspace.notes?.()) ?? [])]).toEqual([["__proto__", "two"]]);
  await runtime.destroy("w1");
  await expect(workspace.note?.("a", "late")).rejects.toSatisfy((error) =>
    SkillError.is(error, "WORKSPACE_NOT_FOUND"),
  );
  expect((await (await runtime.create("w1")).notes?.())?.size).toBe(0);
  await dispose();
});
