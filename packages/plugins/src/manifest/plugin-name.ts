/** True for names that a plugin may have: 1 to 64 of `a-z`, `0-9`, `-` and `.`, without `--` and `..`, alphanumeric at both ends. */
export function isPluginName(name: string): boolean {
  return name.length <= 64 && /^(?!.*(?:--|\.\.))[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(name);
}
