/** Builds the images that the tests of the Kubernetes runtime need, and loads them into the nodes of kind. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../run-command.mjs";
import { images, saveImage } from "./save-image.mjs";

const directory = mkdtempSync(join(tmpdir(), "sw-kind-"));
try {
  for (const image of Object.values(images)) {
    const file = join(directory, "image.tar");
    await saveImage(image, file);
    await runCommand("kind", ["load", "image-archive", file]);
    rmSync(file);
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
