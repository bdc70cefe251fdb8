import type { Secret } from "@skillwright/core";

/** What a program needs to be found, to find its files and to write in the person's language. */
const PASSED_ON = /^(?:PATH|HOME|LANG|LANGUAGE|LC_[A-Z]+)$/;

/** The variables of a server: the few of this process that it needs, and those that were named for it. */
export function serverEnvironment(
  host: NodeJS.ProcessEnv,
  named: Readonly<Record<string, string | Secret>>,
): Record<string, string> {
  const own = Object.entries(host).filter(([name]) => PASSED_ON.test(name)) as [string, string][];
  const given = Object.entries(named).map(([name, value]): [string, string] => [
    name,
    typeof value === "string" ? value : value.reveal(),
  ]);
  return Object.fromEntries([...own, ...given]);
}
