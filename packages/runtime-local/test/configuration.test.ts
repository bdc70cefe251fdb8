import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sandboxConfiguration } from "../src/isolation/configuration.js";

function configured() {
  const directory = mkdtempSync(join(tmpdir(), "skillwright-etc-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const host = join(directory, "host");
  mkdirSync(join(host, "fonts"), { recursive: true });
  writeFileSync(join(host, "magic"), "old");
  writeFileSync(join(host, "passwd"), "ada:x:1001");
  writeFileSync(join(host, "services"), "ssh 22/tcp");
  const { mounts } = sandboxConfiguration(directory, host);
  const seen = (name: string, home = "etc") => readFileSync(join(directory, home, name), "utf8");
  return { directory, host, mounts, seen };
}

test("a sandbox has one directory for all files of the configuration, and mounts of the host's directories", () => {
  const { directory, host, mounts, seen } = configured();
  expect(mounts({ network: false })).toEqual([
    { kind: "read-only", source: join(directory, "etc"), target: "/etc" },
    { kind: "read-only-if-there", source: join(host, "fonts"), target: "/etc/fonts" },
  ]);
  expect(seen("magic")).toBe("old");
  expect(seen("passwd")).not.toContain("ada");
  expect(() => seen("services")).toThrow("ENOENT");
  expect(mounts({ network: true })[0]).toMatchObject({ source: join(directory, "etc-online") });
  expect(seen("services", "etc-online")).toBe("ssh 22/tcp");
});

test("the next run sees a file that the host changed, also with the same size and times, or removed", () => {
  const { host, mounts, seen } = configured();
  mounts({ network: false });
  const file = join(host, "magic");
  const { atime, mtime } = statSync(file);
  writeFileSync(file, "new");
  utimesSync(file, atime, mtime);
  mounts({ network: false });
  expect(seen("magic")).toBe("new");
  rmSync(file);
  mounts({ network: false });
  expect(() => seen("magic")).toThrow("ENOENT");
});

test("a runtime that opens a directory again leaves files alone that have not changed", () => {
  const { directory, host, mounts } = configured();
  mounts({ network: false });
  const inodes = () => ["passwd", "magic", "fonts"].map((name) => statSync(join(directory, "etc", name)).ino);
  const before = inodes();
  sandboxConfiguration(directory, host).mounts({ network: false });
  expect(inodes()).toEqual(before);
});

test("the next run sees a directory in place of a file, and a file in place of a directory", () => {
  const { host, mounts, seen } = configured();
  const targets = () => mounts({ network: false }).map(({ target }) => target);
  for (const name of ["magic", "fonts"]) {
    targets();
    rmSync(join(host, name), { recursive: true });
  }
  mkdirSync(join(host, "magic"));
  writeFileSync(join(host, "fonts"), "a file");
  expect(targets()).toEqual(["/etc", "/etc/magic"]);
  expect(seen("fonts")).toBe("a file");
});

test("a copy is no more readable than the host's file, and directories are readable whatever the umask", () => {
  const before = process.umask(0o077);
  onTestFinished(() => void process.umask(before));
  const { directory, host, mounts } = configured();
  writeFileSync(join(host, "localtime"), "private");
  chmodSync(join(host, "localtime"), 0o600);
  mkdirSync(join(host, "ssl/certs"), { recursive: true });
  mounts({ network: true });
  const modeOf = (name: string) => statSync(join(directory, "etc-online", name)).mode & 0o777;
  expect([modeOf(""), modeOf("ssl"), modeOf("ssl/certs"), modeOf("passwd"), modeOf("localtime")]).toEqual([
    0o755, 0o755, 0o755, 0o644, 0o400,
  ]);
});
