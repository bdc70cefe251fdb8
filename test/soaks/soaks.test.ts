import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hasAll } from "../needs/has-all.js";
import type { Need } from "../needs/needs.js";

interface Soak {
  readonly needs?: readonly Need[];
  /** This soak consists of tests, whose short form runs with the others. */
  readonly isTested?: boolean;
  readonly soak: (options: { seed: number; share: number; tell: (line: string) => void }) => Promise<string>;
}

const SHARE = 0.01;
const directory = new URL("../../bench/soaks/", import.meta.url);

describe("one hundredth of each soak finds no fault", async () => {
  for (const file of readdirSync(directory)) {
    const { needs = [], isTested = false, soak } = (await import(new URL(file, directory).href)) as Soak;
    if (isTested || !hasAll(...needs)) continue;
    test(file.replace(/\.mjs$/, ""), { timeout: 300_000 }, async () => {
      await expect(soak({ seed: 1, share: SHARE, tell: () => undefined })).resolves.toMatch(/./);
    });
  }
});
