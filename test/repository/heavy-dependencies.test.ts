import { describe, expect, it } from "vitest";
import { type Manifest, packagesIn, runtimeDependencies } from "./readers/packages.js";

/** Expensive dependencies, and the only packages of ours that may have them. */
const owners: { dependency: RegExp; allowed: string[] }[] = [
  { dependency: /^@aws-sdk\//, allowed: ["packages/repository-s3", "apps/agent"] },
  { dependency: /^ioredis$/, allowed: ["packages/metadata-redis", "apps/agent"] },
  { dependency: /^pg$/, allowed: ["packages/repository-sql", "apps/agent"] },
  { dependency: /^dockerode$/, allowed: ["packages/runtime-docker"] },
  { dependency: /^(@kubernetes\/|ws$)/, allowed: ["packages/runtime-kubernetes"] },
  { dependency: /^@modelcontextprotocol\/client$/, allowed: ["packages/repository-mcp"] },
  { dependency: /^execa$/, allowed: ["packages/repository-git", "apps/agent"] },
  {
    dependency: /^(ai$|@ai-sdk\/|openai$|@anthropic-ai\/|langchain$|@langchain\/)/,
    allowed: ["packages/agent", "apps/agent"],
  },
];

/** These packages use dependencies that the user installs, and work without them. */
const withOptionalPeers = new Set(["packages/agent", "packages/config", "packages/server", "packages/tools"]);

const all = [...packagesIn("packages"), ...packagesIn("apps")];

describe("heavy dependencies", () => {
  it.each(all)("$name has only heavy dependencies of its own", ({ directory, manifest }) => {
    const misplaced = runtimeDependencies(manifest).filter((dependency) =>
      owners.some(
        (owner) =>
          owner.dependency.test(dependency) &&
          !owner.allowed.includes(directory) &&
          !(withOptionalPeers.has(directory) && isOptionalPeer(manifest, dependency)),
      ),
    );
    expect(misplaced).toEqual([]);
  });

  it.each(packagesIn("packages"))("$name does not name vitest as a peer", ({ manifest }) => {
    expect(Object.keys(manifest.peerDependencies ?? {})).not.toContain("vitest");
  });
});

function isOptionalPeer({ peerDependencies, peerDependenciesMeta, dependencies }: Manifest, name: string) {
  return (
    peerDependencies?.[name] !== undefined &&
    peerDependenciesMeta?.[name]?.optional === true &&
    dependencies?.[name] === undefined
  );
}
