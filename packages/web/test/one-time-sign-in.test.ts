import { expect, test } from "vitest";
import { oneTimeSignIn } from "../src/one-time-sign-in.js";

const asked = (path: string, method = "GET") => new Request(`http://localhost:8787/${path}`, { method });

test("the first request is redirected to the page with the token, and later requests are not", async () => {
  const { path, answer } = oneTimeSignIn("a token");
  const first = answer(asked(path));
  expect(first?.status).toBe(302);
  expect(first?.headers.get("location")).toBe("../#token=a%20token");
  expect(first?.headers.get("cache-control")).toBe("no-store");
  const second = answer(asked(path));
  expect(second?.status).toBe(410);
  expect(await second?.text()).toMatch(/opened already, or is too old\. Open the address with the token/);
  expect(second?.headers.get("location")).toBeNull();
});

test("after a minute the address signs nobody in", () => {
  let nowMs = 0;
  const { path, answer } = oneTimeSignIn("t", { now: () => nowMs });
  nowMs = 60_001;
  expect(answer(asked(path))?.status).toBe(410);
});

test("the address works until the minute is over", () => {
  let nowMs = 0;
  const { path, answer } = oneTimeSignIn("t", { now: () => nowMs });
  nowMs = 60_000;
  expect(answer(asked(path))?.status).toBe(302);
});

test("WEB-52: the address works behind a proxy with a path, and requests for other addresses get no answer", () => {
  const { path, answer } = oneTimeSignIn("t");
  for (const other of [asked(""), asked("sign-in/x"), asked(path, "POST"), asked(`${path}/x`)])
    expect(answer(other)).toBeUndefined();
  expect(answer(asked(`team/skills/${path}`))?.status).toBe(302);
});

test("two servers have different addresses for signing in", () => {
  expect(oneTimeSignIn("t").path).not.toBe(oneTimeSignIn("t").path);
});
