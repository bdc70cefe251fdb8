/**
 * Requests to a server: JSON or a body where they are given, GET where nothing is.
 *
 * @param {{ address: string, token: string }} server
 */
export function askAt({ address, token }) {
  /** @param {string} path @param {{ json?: unknown, body?: string, method?: string, headers?: Record<string, string> }} [given] */
  return (
    path,
    { json, body = json === undefined ? undefined : JSON.stringify(json), method, headers } = {},
  ) =>
    fetch(`${address}${path}`, {
      method: method ?? (json === undefined ? "GET" : "POST"),
      headers: {
        authorization: `Bearer ${token}`,
        ...(json !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
}
