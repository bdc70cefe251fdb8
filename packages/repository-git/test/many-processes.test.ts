import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { skillMarkdown } from "@skillwright/contracts";
import { expect, test, vi } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { type Origin, origin } from "./git-subject.js";

const script = fileURLToPath(new URL("children/list.mjs", import.meta.url));
const PATIENCE = { timeout: 120_000 };

if (hasAll("packages/repository-git/dist"))
  test(
    "several processes share a cache while the branch moves: each sees complete commits, in their order",
    PATIENCE,
    async () => {
      const names = ["a", "b", "c", "d", "e"];
      const skill = (name: string) => ({
        [name]: { "SKILL.md": skillMarkdown(name), [`only-${name}.txt`]: name },
      });
      const place = await origin(skill("a"));
      const children = Promise.all(
        Array.from({ length: 4 }, async () => {
          const { stdout } = await promisify(execFile)(process.execPath, [
            script,
            place.directory,
            place.cache,
            "e",
          ]);
          return JSON.parse(stdout) as string[];
        }),
      );
      children.catch(() => undefined);
      for (const name of names.slice(1)) {
        const before = place.git("rev-parse", "HEAD");
        await vi.waitUntil(() => isCached(place, before), { timeout: 180_000 });
        await place.commit(skill(name));
      }
      const all = await children;
      for (const seen of all) expect(names.filter((name) => seen.includes(name))).toEqual(seen);
      expect(new Set(all.flat())).toEqual(new Set(names));
      const [folder = ""] = await readdir(place.cache);
      const left = await readdir(join(place.cache, folder));
      expect(left.filter((name) => !/^[0-9a-f]{40}\.git$/.test(name))).toEqual([]);
      await place.dispose();
    },
  );

/** Fetched by one of the processes. */
function isCached({ cache }: Origin, commit: string): boolean {
  const folders = existsSync(cache) ? readdirSync(cache) : [];
  return folders.some((folder) => existsSync(join(cache, folder, `${commit}.git`)));
}
