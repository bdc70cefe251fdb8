import { filterPrograms } from "./filter-programs.js";

/**
 * The system-call filter that the supervisor sets on a program, as `struct sock_filter` instructions, for a launcher
 * that sets it where no supervisor runs (bubblewrap reads it through `--seccomp`). `network: false` is for a program
 * without a network. Architectures are named as Node names them, by default this machine's; returns `undefined` for
 * others than x64 and arm64.
 */
export function systemCallFilter({
  network,
  arch = process.arch,
}: {
  readonly network: boolean;
  readonly arch?: string;
}): Uint8Array | undefined {
  if (arch !== "x64" && arch !== "arm64") return undefined;
  return Buffer.from(filterPrograms[arch][network ? "online" : "offline"], "base64");
}
