import fs from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { fsRepository } from "@skillwright/repository-fs";
import { skillBox } from "@skillwright/skillbox";
import { expect, onTestFinished, test, vi } from "vitest";
import { skillServer } from "../src/index.js";

test("the first lists of a client read each directory of the skills once, and later lists none", async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), "skillwright-mcp-first-")));
  const names = Array.from({ length: 20 }, (_, at) => `skill-${at}`);
  for (const name of names) {
    await mkdir(join(root, name));
    await writeFile(join(root, name, "SKILL.md"), `---\nname: ${name}\ndescription: Does ${name}.\n---\n`);
  }
  // Directories that changed just now are read again by each listing.
  const now = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(now + 60_000);
  const readdir = vi.spyOn(fs, "readdirSync");
  const skills = skillBox({ own: fsRepository({ root, cache: false }) });
  const server = skillServer({ skills });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const serving = server.connect(ours);
  const client = new Client({ name: "test", version: "1" });
  onTestFinished(async () => {
    vi.restoreAllMocks();
    await client.close();
    await serving;
    await server.close();
    await skills.close();
    await rm(root, { recursive: true });
  });
  await client.connect(theirs);
  for (let count = 0; count < 3; count++) {
    const { resources } = await client.listResources();
    expect(resources.map(({ name }) => name).sort()).toEqual([...names].sort());
    await client.listTools();
  }
  const read = readdir.mock.calls.map(([path]) => String(path)).filter((path) => path.startsWith(root));
  expect(read.sort()).toEqual([root, ...names.map((name) => join(root, name))].sort());
});
