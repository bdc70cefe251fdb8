import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readBytes } from "@skillwright/core";
import { expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { openArchive } from "../src/index.js";

const LINES = Array.from({ length: 400 }, (_, line) => `${line + 1}\n`).join("");
const FILES = {
  "SKILL.md": "---\nname: demo\ndescription: Shows.\n---\nDo it.\n",
  "references/long.md": LINES,
};

if (hasAll("bsdtar"))
  test.each(["zip:compression=deflate", "zip:compression=store", "zip:zip64"])(
    "a zip that bsdtar writes to a pipe with %s has the files that were packed",
    async (options) => {
      const directory = await mkdtemp(join(tmpdir(), "skillwright-bsdtar-"));
      onTestFinished(() => rm(directory, { recursive: true, force: true }));
      await mkdir(join(directory, "references"));
      for (const [path, content] of Object.entries(FILES)) await writeFile(join(directory, path), content);
      const args = [
        "--create",
        "--file",
        "-",
        "--format",
        "zip",
        "--options",
        options,
        "-C",
        directory,
        "SKILL.md",
        "references",
      ];
      const packing = spawn("bsdtar", args, { stdio: ["ignore", "pipe", "inherit"] });
      const archive = await openArchive(packing.stdout);
      const read: Record<string, string> = {};
      for await (const { path, content } of archive.contents())
        read[path] = Buffer.from(await readBytes(content as AsyncIterable<Uint8Array>, 1 << 20)).toString();
      expect(read).toEqual(FILES);
    },
  );
