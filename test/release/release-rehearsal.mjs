/**
 * Rehearses a release against a registry in memory on loopback: version, build, publish, publish again, and the
 * README's instructions with the published packages. It changes neither this checkout nor packages in any other registry.
 */
import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { childEnvironment } from "../../scripts/bootstrap/child-environment.mjs";
import { findPnpm } from "../../scripts/bootstrap/find-pnpm.mjs";
import { prepare } from "../../scripts/bootstrap/prepare.mjs";
import { publicPackages, workspacePackages } from "../../scripts/bootstrap/workspace-packages.mjs";
import { checks } from "../../scripts/checks.mjs";
import { runCommand } from "../../scripts/run-command.mjs";
import { commit, copyOfCheckout } from "./copy-of-checkout.mjs";
import { loopbackRegistry } from "./loopback-registry.mjs";
import { checkNpxMcp } from "./npx-mcp.mjs";
import { checkReadmeExample } from "./readme-example.mjs";
import { workspaceRanges } from "./workspace-ranges.mjs";

await prepare({ build: [] });
const pnpmDirectory = await findPnpm();
const { check, close } = checks();
const temporary = mkdtempSync(`${tmpdir()}/skillwright-release-`);
const checkout = `${temporary}/checkout`;
const registry = await loopbackRegistry();

try {
  const ready =
    (await check("a fresh checkout installs from the lockfile", install)) &&
    (await check("one changeset moves every package to the same next version", version)) &&
    (await check("it builds", () => pnpm(["exec", "turbo", "run", "build", "--output-logs=errors-only"]))) &&
    (await check("it publishes every public package, once, with plain version ranges", publish));
  if (ready) {
    await check("publishing again publishes nothing", publishAgain);
    await checkNpxMcp({ folder: `${temporary}/host`, scopeRegistry: registry.url, check });
    await checkReadmeExample({ project: `${temporary}/project`, scopeRegistry: registry.url, check });
  }
} finally {
  await registry.close();
  rmSync(temporary, { recursive: true, force: true });
}
close();

async function install() {
  await copyOfCheckout(checkout);
  await pnpm(["install", "--frozen-lockfile", "--prefer-offline", "--reporter=append-only"]);
}

async function version() {
  const before = workspacePackages(checkout);
  writeFileSync(
    `${checkout}/.changeset/rehearsal.md`,
    '---\n"@skillwright/core": minor\n---\n\nA rehearsal.\n',
  );
  await pnpm(["changeset", "version"]);
  const after = workspacePackages(checkout);
  const versions = new Set(after.filter((one) => !one.private).map(({ manifest }) => manifest.version));
  assert.equal(versions.size, 1, `not one version but ${[...versions].join(", ")}`);
  for (const [index, { name, manifest, private: isPrivate }] of before.entries()) {
    assert.equal(
      after[index]?.manifest.version !== manifest.version,
      !isPrivate,
      `${name}: ${manifest.version}`,
    );
  }
  await commit(checkout, "Release");
}

async function publish() {
  // Only in the copy: the scope is mapped to loopback, every other package to the usual registry.
  const address = registry.url.replace("http:", "");
  appendFileSync(
    `${checkout}/.npmrc`,
    `@skillwright:registry=${registry.url}/\n${address}/:_authToken=rehearsal\n`,
  );
  await pnpm(["changeset", "publish"]);
  const published = registry.published();
  const expected = publicPackages(checkout).map(({ name, manifest }) => `${name}@${manifest.version}`);
  assert.deepEqual(published.map((one) => `${one.name}@${one.version}`).sort(), expected.sort());
  for (const manifest of published) {
    assert.deepEqual(workspaceRanges(manifest), [], manifest.name);
  }
}

async function publishAgain() {
  const before = registry.published().length;
  const { output } = await pnpm(["changeset", "publish"]);
  assert.equal(registry.published().length, before);
  assert.match(output, /No unpublished projects to publish/i);
}

function pnpm(args) {
  const env = {
    ...childEnvironment(pnpmDirectory),
    CI: "true",
    // changesets uses the registry in this variable to check what is published.
    "npm_config_@skillwright:registry": registry.url,
  };
  return runCommand(`${pnpmDirectory}/pnpm`, args, { cwd: checkout, env });
}
