import { createServer } from "node:http";

/**
 * A package registry in memory on 127.0.0.1 that supports only `npm publish` and `npm install`. It serves only
 * packages that were published to it and contacts no other registry.
 *
 * @returns {Promise<{ url: string, published: () => Record<string, any>[], close: () => Promise<void> }>}
 */
export async function loopbackRegistry() {
  const packuments = /** @type {Map<string, any>} */ (new Map());
  const tarballs = /** @type {Map<string, Buffer>} */ (new Map());

  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://loopback").pathname).slice(1);
    const answer = (status, body) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    if (request.method === "PUT") return answer(...publish(path, JSON.parse(await bodyOf(request))));
    const tarball = tarballs.get(path);
    if (tarball)
      return void response.writeHead(200, { "content-type": "application/octet-stream" }).end(tarball);
    const packument = packuments.get(path);
    return packument ? answer(200, packument) : answer(404, { error: `${path} was not published here` });
  });

  /** @returns {[number, object]} */
  function publish(name, sent) {
    const known = packuments.get(name) ?? { name, "dist-tags": {}, versions: {}, time: {} };
    for (const [version, manifest] of Object.entries(sent.versions)) {
      if (known.versions[version]) return [409, { error: `${name}@${version} is there already` }];
      const file = `${name}/-/${name.replace(/^.*\//, "")}-${version}.tgz`;
      tarballs.set(file, Buffer.from(Object.values(sent._attachments)[0].data, "base64"));
      known.versions[version] = { ...manifest, dist: { ...manifest.dist, tarball: `${url}/${file}` } };
      known.time[version] = new Date().toISOString();
    }
    Object.assign(known["dist-tags"], sent["dist-tags"]);
    packuments.set(name, known);
    return [201, { ok: true }];
  }

  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const url = `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`;
  return {
    url,
    published: () => [...packuments.values()].flatMap(({ versions }) => Object.values(versions)),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
