const MAX_LENGTH = 150;

/** The address as it may stand in messages and labels: without credentials, query and fragment, in a line. */
export function shownAddress({ protocol, host, pathname }: URL): string {
  const whole = `${protocol}//${host}${pathname}`;
  return whole.length > MAX_LENGTH ? `${whole.slice(0, MAX_LENGTH - 1)}…` : whole;
}

/** The last part of the path: what a browser would call the file. */
export function fileNameOf({ pathname, host }: URL): string {
  const last = pathname.split("/").findLast((part) => part !== "") ?? host;
  return last.length > MAX_LENGTH ? `${last.slice(0, MAX_LENGTH - 1)}…` : last;
}
