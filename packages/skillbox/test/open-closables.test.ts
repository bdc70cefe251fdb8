import type { Closable } from "@skillwright/core";
import { expect, test } from "vitest";
import { openClosables } from "../src/open-closables.js";

test("every object is closed once, even when all are closed twice or it was closed before", async () => {
  const closed: string[] = [];
  const opened = (name: string): Closable => {
    const close = async () => void closed.push(name);
    return { close, [Symbol.asyncDispose]: close };
  };
  const open = openClosables();
  const first = open.add(opened("first"));
  open.add(opened("second"));
  await first.close();
  expect(closed).toEqual(["first"]);
  await open.close();
  await open.close();
  expect(closed).toEqual(["first", "second"]);
});
