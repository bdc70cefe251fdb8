import { isAbsolute, relative } from "node:path";

/** The path relative to the working directory where it is below it, as findings have it; returns others unchanged. */
export function reportedPath(path: string, cwd: string): string {
  const fromHere = relative(cwd, path);
  return fromHere.startsWith("..") ? path : fromHere;
}

/** Shortens an absolute path below the working directory to `./a/b`; returns others unchanged. */
export function shownPath(path: string, cwd: string): string {
  const fromHere = relative(cwd, path);
  if (fromHere === "") return ".";
  return fromHere.startsWith("..") || isAbsolute(fromHere) ? path : `./${fromHere}`;
}
