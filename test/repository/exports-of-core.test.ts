import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as adapter from "../../packages/core/src/adapter.js";
import * as core from "../../packages/core/src/index.js";
import { root } from "./readers/packages.js";

const readme = readFileSync(`${root}/packages/core/README.md`, "utf8");
const index = readFileSync(`${root}/packages/core/src/index.ts`, "utf8");

describe("the exports of core", () => {
  it("are at most 110 names in the main entry", () => {
    const names = [...index.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = ""]) =>
      list.split(",").filter((name) => name.trim() !== ""),
    );
    expect(names.length).toBeGreaterThan(50);
    expect(names.length).toBeLessThanOrEqual(110);
  });

  it.each([
    ["@skillwright/core", Object.keys(core)],
    ["@skillwright/core/adapter", Object.keys(adapter)],
  ])("%s has its values documented in the README", (_, values) => {
    expect(values.filter((name) => !new RegExp(`\\b${name}\\b`).test(readme))).toEqual([]);
  });

  it("are in one of the two entries, never in both", () => {
    expect(Object.keys(adapter).filter((name) => Object.hasOwn(core, name))).toEqual([]);
  });
});
