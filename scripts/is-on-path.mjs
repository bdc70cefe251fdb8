import { accessSync, constants } from "node:fs";

/** Whether a program can be started by its name. @param {string} program */
export function isOnPath(program) {
  return (process.env["PATH"] ?? "").split(":").some((directory) => {
    try {
      accessSync(`${directory}/${program}`, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
