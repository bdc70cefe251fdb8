import { createHash, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { packImage } from "./pack-image.mjs";
import { bashTree } from "./trees.mjs";

/**
 * Pushes a new image directly to a registry, without an engine: the tree of `bashTree` and a file of random bytes.
 *
 * @param {string} registry Its URL.
 * @param {string} name `repository:tag`
 * @param {{ padding?: number, credentials?: { username: string, password: string } | undefined }} options
 */
export async function pushImage(registry, name, { padding = 64, credentials }) {
  const [repository = "", tag = ""] = name.split(":");
  const headers = credentials
    ? { authorization: `Basic ${btoa(`${credentials.username}:${credentials.password}`)}` }
    : {};
  /** @param {string} method @param {string} url @param {string} type @param {string | Buffer} [body] */
  const send = async (method, url, type, body) => {
    const init = { method, headers: { ...headers, "content-type": type }, ...(body && { body }) };
    const response = await fetch(new URL(url, registry), init);
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
    return response;
  };
  /** @param {string} mediaType @param {string | Buffer} content */
  const blob = async (mediaType, content) => {
    const digest = `sha256:${createHash("sha256").update(content).digest("hex")}`;
    const begun = await send("POST", `/v2/${repository}/blobs/uploads/`, "application/octet-stream");
    const place = new URL(begun.headers.get("location") ?? "", registry);
    place.searchParams.set("digest", digest);
    await send("PUT", place.href, "application/octet-stream", content);
    return { mediaType, size: Buffer.byteLength(content), digest };
  };

  const fill = (/** @type {string} */ root) => {
    bashTree(root);
    writeFileSync(`${root}/padding`, randomBytes(padding));
  };
  await packImage(fill, { Cmd: ["/bin/sleep", "2147483647"] }, async ({ layer, settings }) => {
    const docker = "application/vnd.docker";
    const manifest = {
      schemaVersion: 2,
      mediaType: `${docker}.distribution.manifest.v2+json`,
      config: await blob(`${docker}.container.image.v1+json`, settings),
      layers: [await blob(`${docker}.image.rootfs.diff.tar.gzip`, gzipSync(readFileSync(layer)))],
    };
    await send("PUT", `/v2/${repository}/manifests/${tag}`, manifest.mediaType, JSON.stringify(manifest));
  });
}
