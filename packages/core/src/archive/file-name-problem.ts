const RESERVED =
  /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(?: *[.:].*| *)$/i;

/**
 * Explains why some system does not treat this path part as an ordinary file name: device names, a final dot or space,
 * a colon. The text fits the end of a sentence. Returns `undefined` for a name that means the same everywhere. Source:
 * SEC-04.
 */
export function fileNameProblem(name: string): string | undefined {
  if (RESERVED.test(name)) return "is the name of a device on Windows";
  if (/[. ]$/.test(name)) return "ends with a dot or a space, which Windows removes";
  if (name.includes(":")) return "contains a colon, which Windows reads as the name of a stream";
  return undefined;
}
