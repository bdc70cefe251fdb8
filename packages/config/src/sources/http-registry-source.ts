import type { HttpRegistry } from "@skillwright/repository-http";
import type { SourceClients } from "./source-clients.js";

/** Opens the registry at an address, with the access that the environment permits. Nothing is asked before the first call. */
export async function httpRegistrySource(url: string, clients: SourceClients): Promise<HttpRegistry> {
  // Loaded only when it is used, so that a start with folders only does not load HTTP and archives.
  const { httpRegistry } = await import("@skillwright/repository-http");
  const { openArchive, writeArchive } = await import("@skillwright/archive");
  return httpRegistry({ url, openArchive, writeArchive, ...clients.http(url) });
}
