import { isAbsolute, relative } from "node:path";

/** The absolute path as somebody in the working directory would write it: `./a/b` below it, else as it is. */
export function shownPath(path: string, cwd: string): string {
  const fromHere = relative(cwd, path);
  if (fromHere === "") return ".";
  return fromHere.startsWith("..") || isAbsolute(fromHere) ? path : `./${fromHere}`;
}
