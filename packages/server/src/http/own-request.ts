import { types } from "node:util";

/** The request, or a copy of one that is a proxy, as Next gives it to routes: classes of Node do not accept a proxy. */
export function ownRequest(request: Request): Request {
  if (!types.isProxy(request)) return request;
  const { url, method, headers, body, signal } = request;
  return new Request(url, { method, headers, body, signal, ...(body && { duplex: "half" as const }) });
}
