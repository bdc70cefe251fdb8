import { closeSync, constants, openSync } from "node:fs";

/** A directory that is read through its descriptor, so that it stays readable when it is renamed. */
export interface HeldDirectory {
  readonly path: string;
  close(): void;
}

/** @throws the system's error, such as `ENOENT`. */
export function holdDirectory(directory: string): HeldDirectory {
  const opened = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  return { path: `/proc/self/fd/${opened}`, close: () => closeSync(opened) };
}

/** `undefined` where there is no such directory. */
export function heldDirectory(directory: string): HeldDirectory | undefined {
  try {
    return holdDirectory(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
