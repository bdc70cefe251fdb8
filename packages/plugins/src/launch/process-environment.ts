type Variables = Readonly<Record<string, string>>;

/**
 * Lays variables over others: the later one of a name counts.
 * @param isCaseless True where names that differ in case are one, as on Windows.
 */
export function overlaid(layers: readonly Variables[], isCaseless: boolean): Variables {
  const variables = new Map<string, readonly [name: string, value: string]>();
  for (const layer of layers)
    for (const entry of Object.entries(layer)) {
      const key = isCaseless ? entry[0].toUpperCase() : entry[0];
      variables.delete(key);
      variables.set(key, entry);
    }
  return Object.fromEntries(variables.values());
}

/** The variables of this process that a program needs to be found and to find its user's files; no secrets. */
export function baseEnvironment(env: Readonly<Record<string, string | undefined>>): Variables {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && BASE.has(entry[0].toUpperCase()),
    ),
  );
}

const BASE: ReadonlySet<string> = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LC_ALL", "TZ", "TMPDIR"],
  ...["SYSTEMROOT", "SYSTEMDRIVE", "PATHEXT", "TEMP", "USERNAME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"],
]);
