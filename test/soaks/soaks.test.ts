import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isOnPath } from "../../scripts/is-on-path.mjs";

interface Soak {
  readonly needs?: readonly string[];
  readonly soak: (options: { seed: number; share: number; tell: (line: string) => void }) => Promise<string>;
}

const SHARE = 0.01;
const directory = new URL("../../bench/soaks/", import.meta.url);

describe("one hundredth of each soak finds no fault", async () => {
  for (const file of readdirSync(directory)) {
    const { needs = [], soak } = (await import(new URL(file, directory).href)) as Soak;
    if (!needs.every(isOnPath)) continue;
    test(file.replace(/\.mjs$/, ""), { timeout: 300_000 }, async () => {
      await expect(soak({ seed: 1, share: SHARE, tell: () => undefined })).resolves.toMatch(/./);
    });
  }
});
