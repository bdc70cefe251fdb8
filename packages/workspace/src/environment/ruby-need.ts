import type { ManifestFile } from "@skillwright/core";
import type { NeededPackage } from "./environment-need.js";
import { besides, type FoundNeed, PLACES, type SkillFiles, type Unprepared } from "./skill-files.js";

/** The gems of a skill: `Gemfile.lock`, with the files of all its gems in `vendor/cache`. */
export async function rubyNeed({ has, text, files }: SkillFiles): Promise<FoundNeed> {
  const [place, ...others] = PLACES.filter((one) => has(`${one}Gemfile.lock`));
  if (place === undefined) return { need: undefined, unprepared: [] };
  const declaredIn = `${place}Gemfile.lock`;
  const unprepared = others.map((other) => besides(`${other}Gemfile.lock`, declaredIn));
  const locked = lockedGems(await text(declaredIn), (name) =>
    files.find(({ path }) => path === `${place}vendor/cache/${name}.gem`),
  );
  if ("why" in locked)
    return { need: undefined, unprepared: [...unprepared, { path: declaredIn, ...locked }] };
  if (locked.packages.length === 0) return { need: undefined, unprepared };
  const { packages, archives } = locked;
  return { need: { kind: "ruby", declaredIn, packages, files: {}, wheels: archives }, unprepared };
}

type LockedGems =
  | { readonly packages: readonly NeededPackage[]; readonly archives: readonly ManifestFile[] }
  | Pick<Unprepared, "why" | "remedy">;

const SECTION = /^[A-Z][A-Z ]*$/;
const GEM = /^ {4}([A-Za-z0-9][\w.-]*) \(([0-9][\w.-]*)\)$/;
const CHECKSUM = /^ {2}([A-Za-z0-9][\w.-]*) \(([0-9][\w.-]*)\) .*\bsha256=([0-9a-f]{64})\b/;

function lockedGems(lock: string, fileOf: (name: string) => ManifestFile | undefined): LockedGems {
  const versions = new Map<string, string[]>();
  const checksums = new Map<string, string>();
  let section = "";
  for (const line of lock.split(/\r?\n/)) {
    if (SECTION.test(line)) section = line;
    if (["GIT", "PATH", "PLUGIN SOURCE"].includes(section))
      return {
        why: `it has gems from ${section === "GIT" ? "git" : "elsewhere than a gem index"}`,
        remedy: "Depend on released gems, and run `bundle cache`.",
      };
    const [, name, version] = (section === "GEM" && GEM.exec(line)) || [];
    if (name !== undefined && version !== undefined)
      versions.set(name, [...(versions.get(name) ?? []), version]);
    const [, own, of, sum] = CHECKSUM.exec(line) ?? [];
    if (own !== undefined && sum !== undefined) checksums.set(`${own}-${of}`, sum);
  }
  const packages: NeededPackage[] = [];
  const archives: ManifestFile[] = [];
  for (const [name, known] of versions) {
    const there = known.flatMap((version) => {
      const file = fileOf(`${name}-${version}`);
      return file ? [{ version, file }] : [];
    });
    const [one, another] = there;
    if (!one)
      return {
        why: `${name} ${known[0]} is not in vendor/cache, and gems are not fetched`,
        remedy: "Run `bundle cache`, and keep vendor/cache in the skill.",
      };
    if (another)
      return {
        why: `vendor/cache has ${name} for several platforms`,
        remedy: `Keep one gem of ${name} in vendor/cache.`,
      };
    const sum = checksums.get(`${name}-${one.version}`);
    if (sum !== undefined && sum !== one.file.sha256)
      return {
        why: `${one.file.path} does not match its checksum`,
        remedy: "Run `bundle cache` again, from a gem index that you trust.",
      };
    packages.push({ name, version: one.version });
    archives.push(one.file);
  }
  return { packages, archives };
}
