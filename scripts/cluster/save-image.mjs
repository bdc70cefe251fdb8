import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { packImage } from "../engines/test-images/pack-image.mjs";
import { bashTree } from "../engines/test-images/trees.mjs";

const supervisor = new URL(`../../packages/supervisor/bin/linux-${process.arch}/supervisor`, import.meta.url);

/** The two images that workspaces in a cluster need, built offline. */
export const images = {
  supervisor: { name: "docker.io/skills-test/supervisor:1", fill: supervisorTree },
  base: { name: "docker.io/skills-test/base:1", fill: bashTree },
};

function supervisorTree(/** @type {string} */ root) {
  copyFileSync(supervisor, `${root}/supervisor`);
}

/**
 * Writes an image of one layer in the format of `docker save`.
 *
 * @param {{ name: string, fill: (root: string) => unknown }} image
 * @param {string} file
 */
export async function saveImage({ name, fill }, file) {
  await packImage(fill, {}, ({ folder, layer, layerHash, settings }) => {
    const tree = `${folder}/image`;
    const settingsFile = `${createHash("sha256").update(settings).digest("hex")}.json`;
    mkdirSync(`${tree}/${layerHash}`, { recursive: true });
    renameSync(layer, `${tree}/${layerHash}/layer.tar`);
    writeFileSync(`${tree}/${settingsFile}`, settings);
    const manifest = [{ Config: settingsFile, RepoTags: [name], Layers: [`${layerHash}/layer.tar`] }];
    writeFileSync(`${tree}/manifest.json`, JSON.stringify(manifest));
    execFileSync("tar", ["-C", tree, "-cf", file, "."]);
  });
}
