import { expect, test } from "vitest";
import { bubblewrapArguments } from "../src/isolation/bubblewrap-arguments.js";
import { bubblewrapVersion } from "../src/isolation/bubblewrap-version.js";

function options(version: string, more: Partial<Parameters<typeof bubblewrapArguments>[1]> = {}): string[] {
  const known = bubblewrapVersion(`bubblewrap ${version}`);
  if (!known) throw new Error(version);
  const process = { mounts: [], cwd: "/workspace", env: {}, network: false, ...more };
  return Buffer.from(bubblewrapArguments(known, process)).toString().split("\0").slice(0, -1);
}

test("every namespace is new, including the network's unless it is requested", () => {
  const all = ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"];
  expect(options("0.8.0")).toEqual(expect.arrayContaining([...all, "--unshare-net"]));
  expect(options("0.8.0", { network: true })).toEqual(expect.arrayContaining(all));
  expect(options("0.8.0", { network: true })).not.toContain("--unshare-net");
});

test("options unknown to an older bubblewrap are omitted, and nothing else", () => {
  const left = (version: string) => options("0.8.0").filter((option) => !options(version).includes(option));
  expect(left("0.7.0")).toEqual(["--disable-userns"]);
  expect(left("0.5.0")).toEqual(["--disable-userns", "--size", "67108864", "--size", "268435456"]);
});

test("the program is the first process inside", () => {
  expect(options("0.8.0")).toContain("--as-pid-1");
});

test("mounts are in order, and the root becomes read-only after the last", () => {
  const all = options("0.8.0", {
    mounts: [
      { kind: "read-only", source: "/a", target: "/b" },
      { kind: "read-only-if-there", source: "/c", target: "/d" },
      { kind: "link", source: "usr/bin", target: "/bin" },
      { kind: "writable", source: "/e", target: "/f" },
    ],
  });
  const from = all.indexOf("--ro-bind");
  expect(all.slice(from, from + 14)).toEqual(
    "--ro-bind /a /b --ro-bind-try /c /d --symlink usr/bin /bin --bind /e /f --remount-ro /".split(" "),
  );
});

test("the environment is emptied before it is filled, with unchanged values", () => {
  const all = options("0.8.0", { env: { A: "two\nlines --bind / /", B: "" } });
  const from = all.indexOf("--clearenv");
  expect(all.slice(from, from + 9)).toEqual([
    "--clearenv",
    "--setenv",
    "A",
    "two\nlines --bind / /",
    "--setenv",
    "B",
    "",
    "--chdir",
    "/workspace",
  ]);
});
