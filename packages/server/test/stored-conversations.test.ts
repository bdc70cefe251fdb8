import { memoryRecords } from "@skillwright/repository-memory";
import { expect, test } from "vitest";
import { storedConversations } from "../src/conversations/stored-conversations.js";

const given = { agent: "assistant", title: "" };

/** The conversations of two processes that share a store. */
function twoProcesses() {
  const records = memoryRecords();
  return [storedConversations(records, "app"), storedConversations(records, "app")] as const;
}

test("a change from the recent reading is made to the conversation that another process has made anew", async () => {
  const [one, other] = twoProcesses();
  await one.create("ada", "c", given);
  await one.change("ada", "c", () => ({ head: { isBeingDeleted: true } }));
  await other.delete("ada", "c");
  await other.create("ada", "c", given);
  const change = () => ({ head: { title: "new" } });
  expect(await one.change("ada", "c", change, { fromRecent: true })).toMatchObject({ title: "new" });
  expect(await other.get("ada", "c")).toMatchObject({ title: "new" });
});

test("a change that is refused or not wanted in the recent reading is decided by the present conversation", async () => {
  const [one, other] = twoProcesses();
  await one.create("ada", "c", given);
  await other.change("ada", "c", () => ({ head: { title: "other" } }));
  const seen: string[] = [];
  const change = (isThrown: boolean) => (now: { readonly title: string }) => {
    seen.push(now.title);
    if (now.title === "other") return { head: { title: "one" } };
    if (isThrown) throw new Error("refused");
    return undefined;
  };
  expect(await one.change("ada", "c", change(true), { fromRecent: true })).toMatchObject({ title: "one" });
  await other.change("ada", "c", () => ({ head: { title: "other" } }));
  expect(await one.change("ada", "c", change(false), { fromRecent: true })).toMatchObject({ title: "one" });
  expect(seen).toEqual(["", "other", "one", "other"]);
  await expect(one.change("ada", "c", change(true), { fromRecent: true })).rejects.toThrow("refused");
});

test("the recent reading of a conversation that this process has deleted is not used", async () => {
  const [one, other] = twoProcesses();
  await one.create("ada", "c", given);
  expect(await one.get("ada", "c", { recent: true })).toMatchObject({ id: "c" });
  await one.delete("ada", "c");
  await expect(one.get("ada", "c", { recent: true })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  await other.create("ada", "c", { ...given, agent: "second" });
  expect(await one.get("ada", "c", { recent: true })).toMatchObject({ agent: "second" });
});
