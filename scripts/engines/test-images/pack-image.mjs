import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

/**
 * Creates the parts of an image of one layer, passes them to `use` and removes them again.
 *
 * @param {(root: string) => unknown} fill Writes the tree into an empty directory.
 * @param {Record<string, unknown>} config Of the image, as the engine's inspection shows it: `Cmd`, `Env`, `User`, ...
 * @param {(parts: { folder: string, layer: string, layerHash: string, settings: string }) => unknown} use
 *   `layer` is a tar file in `folder`; `settings` the image's JSON.
 */
export async function packImage(fill, config, use) {
  const folder = mkdtempSync(join(tmpdir(), "sw-image-"));
  try {
    mkdirSync(`${folder}/root`);
    await fill(`${folder}/root`);
    const layer = `${folder}/layer.tar`;
    const owner = ["--numeric-owner", "--owner=0", "--group=0"];
    execFileSync("tar", ["-C", `${folder}/root`, ...owner, "-cf", layer, "."]);
    const layerHash = await sha256Of(layer);
    await use({ folder, layer, layerHash, settings: settingsOf(layerHash, config) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function settingsOf(layerHash, config) {
  const created = "2020-01-01T00:00:00Z";
  return JSON.stringify({
    architecture: process.arch === "x64" ? "amd64" : process.arch,
    os: "linux",
    created,
    config,
    rootfs: { type: "layers", diff_ids: [`sha256:${layerHash}`] },
    history: [{ created, created_by: "a test" }],
  });
}

async function sha256Of(file) {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
