import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../bootstrap/root.mjs";

/** Why there is no virtual machine with systemd and control groups of version 2 for tests; `undefined` where there is one. */
export function whyNoVirtualMachine() {
  if (process.platform !== "linux" || process.arch !== "x64") return "it runs on Linux on x64 only";
  if (!existsSync(machineProgram())) return "there is no program here that boots one";
  return process.getuid?.() === 0 ? undefined : "making its disk needs root";
}

/** `PROGRAM run FOLDER... -- COMMAND` boots the machine with the folders below /given and runs the command. */
export function machineProgram() {
  return join(process.env["SKILLWRIGHT_SHARED"] ?? join(root, "../shared"), "services/machine/up");
}
