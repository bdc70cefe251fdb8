import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { engineRequest } from "../engine-request.mjs";
import { packImage } from "./pack-image.mjs";

/**
 * Builds an image of one layer from a directory tree, in the format of `docker save`, and loads it: no base image, no
 * network. (With the import call Podman 4.3 loses the tag, and no engine accepts every setting.)
 *
 * @param {string} host Of the engine.
 * @param {string} name `repository:tag`
 * @param {(root: string) => unknown} fill Writes the tree into an empty directory.
 * @param {Record<string, unknown>} [config] Of the image, as the engine's inspection shows it: `Cmd`, `Env`, `User`, ...
 */
export async function buildImage(host, name, fill, config = {}) {
  await packImage(fill, config, async ({ folder, layer, layerHash, settings }) => {
    const image = `${folder}/image`;
    const settingsFile = `${createHash("sha256").update(settings).digest("hex")}.json`;
    mkdirSync(`${image}/${layerHash}`, { recursive: true });
    renameSync(layer, `${image}/${layerHash}/layer.tar`);
    writeFileSync(`${image}/${settingsFile}`, settings);
    const manifest = [{ Config: settingsFile, RepoTags: [name], Layers: [`${layerHash}/layer.tar`] }];
    writeFileSync(`${image}/manifest.json`, JSON.stringify(manifest));
    await load(host, name, image);
  });
}

async function load(host, name, image) {
  const tar = spawn("tar", ["-C", image, "-c", "."], { stdio: ["ignore", "pipe", "ignore"] });
  const { status, text } = await engineRequest(host, "POST", "/images/load?quiet=1", { body: tar.stdout });
  // The engine begins to answer before it has read everything; a later failure is a line of the answer.
  if (status !== 200 || /"error(Detail)?"\s*:/.test(text)) {
    throw new Error(`The engine at ${host} did not load ${name}: ${status} ${text}`);
  }
}
