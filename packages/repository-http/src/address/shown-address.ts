const MAX_LENGTH = 150;

/** The URL for messages and labels: without credentials, query and fragment, on one line. */
export function shownAddress({ protocol, host, pathname }: URL): string {
  const whole = `${protocol}//${host}${pathname}`;
  return whole.length > MAX_LENGTH ? `${whole.slice(0, MAX_LENGTH - 1)}…` : whole;
}

/** The last part of the path, which a browser would use as the file name. */
export function fileNameOf({ pathname, host }: URL): string {
  const last = pathname.split("/").findLast((part) => part !== "") ?? host;
  return last.length > MAX_LENGTH ? `${last.slice(0, MAX_LENGTH - 1)}…` : last;
}
