/** The ranges of a manifest that only this repository understands; a published manifest has none. */
export function workspaceRanges(manifest) {
  const fields = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
  return fields
    .flatMap((field) => Object.entries(manifest[field] ?? {}))
    .filter(([, range]) => /^(workspace|catalog|file|link):/.test(range))
    .map(([name, range]) => `${name}@${range}`);
}
