/** The ranges of a manifest that are only valid in this repository; a published manifest has none. */
export function workspaceRanges(manifest) {
  const fields = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
  return fields
    .flatMap((field) => Object.entries(manifest[field] ?? {}))
    .filter(([, range]) => /^(workspace|catalog|file|link):/.test(range))
    .map(([name, range]) => `${name}@${range}`);
}
