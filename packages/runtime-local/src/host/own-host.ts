import { supervisorProgram } from "@skillwright/supervisor";
import type { SandboxHost } from "../isolation/sandbox.js";
import { SYSTEM_DIRECTORIES } from "./find-program.js";
import { ownHostPrograms } from "./interpreters.js";

/** This machine. */
export function ownHost(): SandboxHost {
  return {
    ...ownHostPrograms(),
    platform: process.platform,
    directories: SYSTEM_DIRECTORIES,
    supervisor: supervisorProgram()?.path,
  };
}
