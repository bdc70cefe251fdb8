import type { SkillManifest } from "@skillwright/core";

/** The names of the files and directories directly in a skill. Determined once for a skill that is loaded. */
export function topNames(manifest: SkillManifest): ReadonlySet<string> {
  let names = known.get(manifest);
  if (!names) {
    names = new Set(manifest.files.map(({ path }) => path.split("/", 1)[0] ?? ""));
    known.set(manifest, names);
  }
  return names;
}

const known = new WeakMap<SkillManifest, ReadonlySet<string>>();
