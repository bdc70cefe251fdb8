import { expect, test, vi } from "vitest";
import { SkillError } from "../src/index.js";

test("is() recognises the error of another copy of the package, where instanceof does not", async () => {
  vi.resetModules();
  const other = await import("../src/skill-error.js");
  expect(other.SkillError).not.toBe(SkillError);
  const error = new other.SkillError("SKILL_NOT_FOUND", "There is no skill x.");
  expect(error instanceof SkillError).toBe(false);
  expect(SkillError.is(error)).toBe(true);
  expect(SkillError.is(error, "SKILL_NOT_FOUND")).toBe(true);
  expect(SkillError.is(error, "CLOSED")).toBe(false);
});

test("is() is false for everything else", () => {
  const impostor = Object.assign(new Error("no such file"), { code: "ENOENT" });
  for (const value of [undefined, null, "SkillError", 1, {}, impostor, { name: "SkillError" }])
    expect(SkillError.is(value)).toBe(false);
});

test("carries code, message, details and cause", () => {
  const cause = new Error("disk full");
  const error = new SkillError("BACKEND_FAILED", "Saving failed.", { cause, details: { bytes: 3 } });
  expect(error).toMatchObject({ name: "SkillError", code: "BACKEND_FAILED", details: { bytes: 3 } });
  expect(error.cause).toBe(cause);
  expect(String(error)).toBe("SkillError: Saving failed.");
  expect(new SkillError("CLOSED", "It is closed.")).not.toHaveProperty("cause");
});

test("from() wraps foreign errors and returns its own unchanged", () => {
  const own = new SkillError("CLOSED", "It is closed.");
  expect(SkillError.from(own, "Listing")).toBe(own);
  const strange = new TypeError("x is not a function");
  const wrapped = SkillError.from(strange, "Listing");
  expect(wrapped).toMatchObject({ code: "BACKEND_FAILED", message: "Listing failed: x is not a function" });
  expect(wrapped.cause).toBe(strange);
  expect(SkillError.from("why not", "Listing").message).toBe("Listing failed: why not");
});
