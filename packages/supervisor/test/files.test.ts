import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";

const programs: Record<string, readonly string[]> = {
  ...(hasAll("supervisor") && { "this machine": [program(process.arch)] }),
  ...(process.arch === "x64" &&
    hasAll("qemu-aarch64-static") && { "arm64, emulated,": ["qemu-aarch64-static", program("arm64")] }),
};

describe.each(Object.entries(programs))("`files` of the binary for %s", (_, words) => {
  // A block has 64 bytes, and the last one holds the length after at most 55.
  const sizes = [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1000, 70_001];

  test("stores files of any length whose digest is right, with their rights", async () => {
    const files = sizes.map((size, index) => ({
      name: `${index % 3 === 0 ? "" : `in/part-${index % 2}/`}${size}`,
      content: Buffer.alloc(size, `${size}, `),
      isExecutable: index % 4 === 0,
    }));
    const { answers, staged } = await asked(words, [
      frame("N", "token"),
      ...files.flatMap(({ name, content, isExecutable }) => [
        frame("F", "token", `new/${name}`, isExecutable ? "x" : "-"),
        frame("D", content.subarray(0, 100)),
        frame("D", content.subarray(100)),
        frame("E", createHash("sha256").update(content).digest("hex")),
      ]),
      frame("S", "token", "new", "skill"),
    ]);
    expect(answers).toEqual(["o2", "o", ...files.map(() => "o"), "o"]);
    for (const { name, content, isExecutable } of files) {
      expect(readFileSync(join(staged, name)).equals(content), name).toBe(true);
      expect(statSync(join(staged, name)).mode & 0o777, name).toBe(isExecutable ? 0o755 : 0o644);
    }
  });

  test("refuses a file whose bytes have another digest, a name that exists, and a directory that is a file", async () => {
    const digest = createHash("sha256").update("one").digest("hex");
    const file = (name: string, content: string) => [
      frame("F", "token", name, "-"),
      frame("D", content),
      frame("E", digest),
    ];
    const { answers } = await asked(words, [
      frame("N", "token"),
      ...[...file("a", "one"), ...file("b", "two"), ...file("a", "one"), ...file("a/b", "one")],
      ...file("c", "one"),
    ]);
    const { EILSEQ, EEXIST, ENOTDIR } = constants.errno;
    expect(answers).toEqual(["o2", "o", "o", `x${EILSEQ}`, `x${EEXIST}`, `x${ENOTDIR}`, "o"]);
  });
});

function program(arch: string): string {
  return fileURLToPath(new URL(`../bin/linux-${arch}/supervisor`, import.meta.url));
}

async function asked(words: readonly string[], requests: readonly Buffer[]) {
  const directory = mkdtempSync(join(tmpdir(), "sw-files-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  mkdirSync(join(directory, "skills"));
  const [command = "", ...more] = words;
  const child = spawn(command, [...more, "files", directory], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(Buffer.concat(requests));
  const told = await buffer(child.stdout);
  const answers: string[] = [];
  for (let at = 0; at < told.length; at += 4 + told.readUInt32LE(at))
    answers.push(told.toString("latin1", at + 4, at + 4 + told.readUInt32LE(at)));
  return { answers, staged: join(directory, "skills/skill") };
}

function frame(kind: string, ...fields: readonly (string | Buffer)[]): Buffer {
  const parts = fields.flatMap((field, index) => [Buffer.alloc(index > 0 ? 1 : 0), Buffer.from(field)]);
  const content = Buffer.concat([Buffer.from(kind), ...parts]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([length, content]);
}
