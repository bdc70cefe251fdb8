import { request } from "node:http";

/**
 * One call of an engine's API, for set-up only: no TLS, no retry, one deadline.
 *
 * @param {string} host `unix:///path` or `tcp://address:port`
 * @param {string} method
 * @param {string} path including its query
 * @param {{ body?: import("node:stream").Readable, type?: string, headers?: Record<string, string>, timeoutMs?: number }} [options]
 *   The body is a tar archive unless `type` says otherwise.
 * @returns {Promise<{ status: number, text: string }>}
 */
export function engineRequest(host, method, path, options = {}) {
  const { body, type = "application/x-tar", headers = {}, timeoutMs = 60_000 } = options;
  const { protocol, hostname, port, pathname } = new URL(host);
  const address = protocol === "unix:" ? { socketPath: pathname } : { host: hostname, port };
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const call = request({ ...address, method, path, headers, signal }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
      response.on("error", reject);
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    call.on("error", reject);
    if (!body) return void call.end();
    call.setHeader("content-type", type);
    body.on("error", (error) => call.destroy(error)).pipe(call);
  });
}
