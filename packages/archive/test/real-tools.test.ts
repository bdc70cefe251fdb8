import { execFile } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { openArchive, unpackArchive, writeArchive } from "../src/index.js";
import { SKILL_FILE } from "./hostile/hostile-case.js";
import { filesBelow, temporaryDirectory } from "./temporary-directory.js";

const run = promisify(execFile);
const LONG = `references/${"long-name-".repeat(15)}.md`;

const FORCED_ZIP64 = `
import os, zipfile
with zipfile.ZipFile("a.zip", "w", zipfile.ZIP_DEFLATED) as z:
    for folder, _, names in os.walk("demo"):
        for name in names:
            path = os.path.join(folder, name)
            info = zipfile.ZipInfo.from_file(path)
            info.compress_type = zipfile.ZIP_DEFLATED
            with open(path, "rb") as source, z.open(info, "w", force_zip64=True) as target:
                target.write(source.read())
`;

/** Archives of the same directory `demo`, each written by one command in the parent directory. */
const packers = [
  { tool: "tar", what: "tar", file: "a.tar.gz", args: ["-czf", "a.tar.gz", "demo"] },
  { tool: "tar", what: "tar of the content", file: "a.tgz", args: ["-czf", "a.tgz", "-C", "demo", "."] },
  { tool: "tar", what: "tar, pax", file: "a.skill", args: ["--format=pax", "-czf", "a.skill", "demo"] },
  { tool: "zip", what: "zip", file: "a.zip", args: ["-qr", "a.zip", "demo"] },
  { tool: "zip", what: "zip without folders, stored", file: "a.skill", args: ["-qrD0", "a.skill", "demo"] },
  {
    tool: "python3",
    what: "Python's zipfile",
    file: "a.zip",
    args: ["-m", "zipfile", "-c", "a.zip", "demo"],
  },
  {
    tool: "python3",
    what: "Python's zipfile, zip64",
    file: "a.zip",
    args: ["-c", FORCED_ZIP64],
  },
  {
    tool: "python3",
    what: "Python's tarfile",
    file: "a.tar.gz",
    args: ["-m", "tarfile", "-c", "a.tar.gz", "demo"],
  },
] as const;

describe("archives of other tools are unpacked with the files that were packed", () => {
  for (const { tool, what, file, args } of packers) {
    if (tool !== "tar" && !hasAll(tool)) continue;
    test(what, async () => {
      await using outside = await temporaryDirectory();
      await makeDemo(outside.path);
      await run(tool, args, { cwd: outside.path });
      const bytes = await readFile(join(outside.path, file));
      const { directory } = await unpackArchive(bytes, { directory: join(outside.path, "unpacked") });
      expect(await filesBelow(directory)).toEqual(await filesBelow(join(outside.path, "demo")));
    });
  }
});

describe("written archives are unpacked by other tools with the same files", () => {
  const unpackers = [
    {
      tool: "tar",
      format: "tar.gz",
      args: ["-xzf", "archive", "--no-same-permissions"],
      mask: process.umask(),
    },
    { tool: "unzip", format: "zip", args: ["-q", "archive"], mask: 0 },
  ] as const;
  for (const { tool, format, args, mask } of unpackers) {
    if (tool !== "tar" && !hasAll(tool)) continue;
    test(tool, async () => {
      await using outside = await temporaryDirectory();
      const demo = await makeDemo(outside.path);
      const before = await filesBelow(demo);
      const files = Object.entries(before).map(([path, { content, mode }]) => ({
        path,
        content,
        executable: (Number.parseInt(mode, 8) & 0o100) !== 0,
      }));
      const archive = writeArchive(files, { format, layout: "wrapped", directoryName: "unpacked" });
      await writeFile(join(outside.path, "archive"), archive);
      await run(tool, args, { cwd: outside.path });
      const expected = files.map(({ path, content, executable }) => {
        const mode = ((executable ? 0o755 : 0o644) & ~mask).toString(8);
        return [path, { content, mode }];
      });
      expect(await filesBelow(join(outside.path, "unpacked"))).toEqual(Object.fromEntries(expected));
    });
  }
});

test("a link in a tar is refused", async () => {
  await using outside = await temporaryDirectory();
  const demo = await makeDemo(outside.path);
  await run("ln", ["-s", "/etc/passwd", join(demo, "link")]);
  await run("tar", ["-czf", "a.tgz", "demo"], { cwd: outside.path });
  const bytes = await readFile(join(outside.path, "a.tgz"));
  await expect(openArchive(bytes)).rejects.toMatchObject({
    code: "SKILL_INVALID",
    message: expect.stringContaining('"demo/link" is a symbolic link'),
  });
});

async function makeDemo(outside: string): Promise<string> {
  const demo = join(outside, "demo");
  await mkdir(join(demo, "references"), { recursive: true });
  await writeFile(join(demo, "SKILL.md"), SKILL_FILE.content);
  await writeFile(join(demo, LONG), "long ".repeat(20_000));
  await writeFile(join(demo, "r\u00e9sum\u00e9.md"), "");
  await writeFile(join(demo, "run.sh"), "#!/bin/sh\n");
  await chmod(join(demo, "run.sh"), 0o755 & ~process.umask());
  return demo;
}
