import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sourceClients } from "@skillwright/config";
import { fsContentStore } from "@skillwright/repository-fs";
import { localHost } from "@skillwright/skillbox";
import { describe, expect, onTestFinished, test } from "vitest";
import { placeCatalog } from "../src/skills/place-catalog.js";

describe("the catalogue over the places", () => {
  test("leaves out a skill whose program is missing, with a reason (the demo without Python)", async () => {
    const root = await temporaryFolder();
    await mkdir(join(root, "skills/snake"), { recursive: true });
    await mkdir(join(root, "bin"));
    await writeFile(join(root, "skills/snake/SKILL.md"), SNAKE);
    const place = {
      kind: "given",
      source: "own",
      root: join(root, "skills"),
      trusted: true,
      found: true,
    } as const;
    await using content = fsContentStore({ root: join(root, "content") });
    await using catalog = await placeCatalog([place], {
      host: localHost({ env: { PATH: join(root, "bin") } }),
      settings: {},
      allow: undefined,
      cwd: root,
      clients: sourceClients({}),
      content,
      index: undefined,
      lock: undefined,
    });
    expect((await catalog.snapshot()).diagnostics).toMatchObject([
      { code: "skill.ineligible", message: expect.stringContaining("python3") },
    ]);
    await expect(catalog.load("snake")).rejects.toThrow("python3");
    await writeFile(join(root, "bin/python3"), "#!/bin/sh\n", { mode: 0o755 });
    expect((await catalog.load("snake")).name).toBe("snake");
  });
});

const SNAKE = "---\nname: snake\ndescription: A snake.\ncompatibility: Needs Python 3.9.\n---\nHiss.";

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skillwright-agent-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}
