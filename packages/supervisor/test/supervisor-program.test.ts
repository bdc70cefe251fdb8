import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { childEnvironment } from "../../../scripts/bootstrap/child-environment.mjs";
import { hasAll } from "../../../test/needs/has-all.js";
import { supervisorProgram } from "../src/index.js";

const package_ = new URL("../", import.meta.url);
const mostBytes = 200_000;

describe("the binaries", () => {
  const sums = readFileSync(new URL("native/SHA256SUMS", package_), "utf8").trim().split("\n");

  test.each(["x64", "arm64"])("for %s is static, small, executable, and matches its checksum", (name) => {
    const file = new URL(`bin/linux-${name}/supervisor`, package_);
    const bytes = readFileSync(file);
    const digest = createHash("sha256").update(bytes).digest("hex");
    expect(sums).toContain(`${digest}  linux-${name}/supervisor`);
    expect(bytes.length).toBeLessThanOrEqual(mostBytes);
    expect(statSync(file).mode & 0o111).toBe(0o111);
    expect(bytes.subarray(0, 4).toString("latin1")).toBe("\x7fELF");
    expect(bytes.readUInt16LE(18)).toBe({ x64: 62, arm64: 183 }[name]);
    expect(programHeaders(bytes)).not.toContain(interpreter);
  });
});

test("the packed package contains the binaries, executable, with their sources and checksums", () => {
  const directory = mkdtempSync(join(tmpdir(), "supervisor-"));
  try {
    const options = ["pack", "--ignore-scripts", "--silent", "--pack-destination", directory];
    // npm keeps its caches in the checkout if the home directory is read-only.
    const env = childEnvironment();
    execFileSync("npm", options, { cwd: package_, env, stdio: ["ignore", "pipe", "pipe"] });
    const list = execFileSync("tar", ["-tvzf", join(directory, readdirSync(directory)[0] ?? "")], {
      encoding: "utf8",
    });
    const modes = new Map(
      list
        .trim()
        .split("\n")
        .map((line) => [
          line
            .split("/")
            .slice(1)
            .join("/")
            .replace(/^.*package\//, ""),
          line.slice(0, 10),
        ]),
    );
    for (const name of ["x64", "arm64"]) expect(modes.get(`bin/linux-${name}/supervisor`)).toBe("-rwxr-xr-x");
    for (const name of [
      "PROTOCOL.md",
      "native/main.c",
      "native/calls.def",
      "native/build.mjs",
      "native/SHA256SUMS",
    ])
      expect(modes.has(name), name).toBe(true);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

describe("supervisorProgram", () => {
  const { platform, arch } = process;
  const pretend = (property: "platform" | "arch", value: string) =>
    Object.defineProperty(process, property, { value });
  afterEach(() => {
    pretend("platform", platform);
    pretend("arch", arch);
  });

  test("is undefined outside Linux and on other architectures", () => {
    pretend("platform", "darwin");
    expect(supervisorProgram()).toBeUndefined();
    pretend("platform", "linux");
    pretend("arch", "riscv64");
    expect(supervisorProgram()).toBeUndefined();
  });

  test.each(["x64", "arm64"])("is the binary for %s on Linux", (name) => {
    pretend("platform", "linux");
    pretend("arch", name);
    expect(supervisorProgram()).toEqual({
      path: expect.stringMatching(new RegExp(`/bin/linux-${name}/supervisor$`)),
      protocol: 2,
    });
  });
});

test("supervisorProgram finds the binary for another platform", () => {
  expect(supervisorProgram({ platform: "linux", arch: "arm64" })?.path).toMatch(/linux-arm64/);
  expect(supervisorProgram({ platform: "linux", arch: "s390x" })).toBeUndefined();
});

if (hasAll("supervisor"))
  test("the program speaks the protocol version that its package states", () => {
    const { path = "", protocol } = supervisorProgram() ?? {};
    expect(execFileSync(path, ["--version"], { encoding: "utf8" })).toBe(
      `skillwright-supervisor ${protocol}\n`,
    );
  });

const interpreter = 3;

/** The types of the program headers of a 64-bit ELF file. */
function programHeaders(bytes: Buffer): number[] {
  const [start, size, count] = [
    Number(bytes.readBigUInt64LE(32)),
    bytes.readUInt16LE(54),
    bytes.readUInt16LE(56),
  ];
  return Array.from({ length: count }, (_, index) => bytes.readUInt32LE(start + index * size));
}
