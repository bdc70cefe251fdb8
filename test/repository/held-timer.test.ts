import { expect, test } from "vitest";
import { heldTimer } from "../timing/held-timer.js";

const HELD_MS = 123_456;

test.for(["before", "after"])("a held timer that is started %s it is due fires once", async (when) => {
  const reach = heldTimer(HELD_MS);
  let fired = 0;
  const started = () => new Promise<void>((resolve) => setTimeout(() => resolve(void fired++), HELD_MS));
  if (when === "after") reach();
  const over = started();
  if (when === "before") reach();
  await over;
  expect(fired).toBe(1);
});
