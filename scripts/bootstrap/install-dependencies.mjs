import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { childEnvironment } from "./child-environment.mjs";
import { findPnpm } from "./find-pnpm.mjs";
import { contentFingerprint } from "./fingerprint.mjs";
import { root } from "./root.mjs";
import { runStep } from "./step.mjs";
import { workspacePackages } from "./workspace-packages.mjs";

/** In node_modules, so that deleting that deletes the stamp. */
const stampFile = `${root}/node_modules/.skillwright-installed`;

/** Installs from the lockfile if it, the manifests or Node's major changed. Returns true if it did. */
export async function installDependencies() {
  const wanted = fingerprint();
  if (isInstalled(wanted)) return false;
  const pnpmDirectory = await findPnpm();
  rmSync(stampFile, { force: true });
  await runStep({
    title: "Installing dependencies from pnpm-lock.yaml",
    log: "install",
    remedy:
      "where it says ERR_PNPM_OUTDATED_LOCKFILE, run `pnpm install` and commit pnpm-lock.yaml; " +
      "otherwise check the network and free disk space, then run the command again.",
    command: `${pnpmDirectory}/pnpm`,
    // The last three: no prompts without a terminal, and all build scripts, whatever the user's settings.
    args: [
      "install",
      "--frozen-lockfile",
      "--reporter=append-only",
      "--prod=false",
      "--config.optional=true",
      "--config.confirm-modules-purge=false",
    ],
    env: childEnvironment(pnpmDirectory),
    cwd: root,
  });
  writeFileSync(stampFile, wanted);
  return true;
}

function isInstalled(wanted) {
  if (!existsSync(stampFile) || readFileSync(stampFile, "utf8") !== wanted) return false;
  return workspacePackages().every(
    ({ directory, manifest }) =>
      !hasDependencies(manifest) || existsSync(`${root}/${directory}/node_modules`),
  );
}

function hasDependencies(manifest) {
  return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).length > 0;
}

function fingerprint() {
  const manifests = workspacePackages().map(({ directory }) => `${root}/${directory}/package.json`);
  const files = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", ".npmrc"].map(
    (name) => `${root}/${name}`,
  );
  const [major] = process.versions.node.split(".");
  return contentFingerprint([...files, ...manifests], major, process.platform, process.arch);
}
