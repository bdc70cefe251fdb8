import { closeSync, openSync } from "node:fs";
import { readOnlySystem } from "../../../test/needs/read-only-system.js";
import { otherUser, ownProgram, supervised } from "./supervised.js";

/** The supervisor's path in the sandbox: its own directory may be inaccessible to the user inside. */
const inside = "/run/supervisor";

/** Runs a command with `init` as the first process of a sandbox, always as an ordinary user. */
export function sandboxed(
  options: readonly string[],
  command: readonly string[],
  { mounts = [], descriptors = [] }: { mounts?: readonly string[]; descriptors?: readonly number[] } = {},
) {
  const binary = openSync(ownProgram, "r");
  const bubblewrap = [...sandboxOptions(), "--perms", "0555", "--ro-bind-data", "6", inside, ...mounts, "--"];
  const init = [inside, "init", "--report", "3", "--control", "5", ...options, "--", ...command];
  const kept = ["3", "6", ...descriptors.map((_, index) => String(index + 7))];
  const run = supervised(
    ["--child-control", "5", ...kept.flatMap((fd) => ["--keep", fd]), ...otherUser],
    [...bubblewrap, ...init],
    { descriptors: [binary, binary, ...descriptors] },
  );
  run.child.once("spawn", () => closeSync(binary));
  return run;
}

/** Bubblewrap with options that make the command the first process. */
export function sandboxOptions(): string[] {
  return [
    ...[
      "/usr/bin/bwrap",
      "--unshare-all",
      "--as-pid-1",
      "--die-with-parent",
      "--cap-drop",
      "ALL",
      "--chdir",
      "/",
    ],
    ...readOnlySystem,
    ...["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/run", "--tmpfs", "/tmp"],
  ];
}
