import { isAbsolute, relative } from "node:path";

/** Shortens an absolute path below the working directory to `./a/b`; returns others unchanged. */
export function shownPath(path: string, cwd: string): string {
  const fromHere = relative(cwd, path);
  if (fromHere === "") return ".";
  return fromHere.startsWith("..") || isAbsolute(fromHere) ? path : `./${fromHere}`;
}
