import { getOAuthProtectedResourceMetadataUrl } from "@modelcontextprotocol/server";
import { type Closable, type SkillCatalog, SkillError, type Workspaces } from "@skillwright/core";
import type { SkillServerOptions } from "../skill-server-options.js";
import { keptEndpoints } from "./kept-endpoints.js";

/** Serves the clients of many users over HTTP. The clients of one user share a workspace; two users share nothing. */
export interface UserEndpoint extends Closable {
  /**
   * Answers one request: of the transport "Streamable HTTP" at the address, or for the metadata of the protected resource (RFC 9728).
   * A request without a valid user gets 401 with the place of the metadata. Requests from pages of other sites and requests with
   * a foreign `Host` get 403. Never rejects.
   */
  fetch(request: Request): Promise<Response>;
}

/** The user who sent a request. */
export interface HostUser {
  readonly id: string;
}

/** The parts that one user has in place of the server's. */
export interface UserParts {
  readonly skills?: SkillCatalog;
  /** Workspaces that use the catalogue of the user. */
  readonly workspaces?: Workspaces;
}

export interface UserEndpointOptions {
  /** Where clients reach it, such as `https://example.com/mcp`: with `https:`, or `http:` on this machine. */
  readonly address: string | URL;
  /**
   * Tells whose request it is; `undefined` for nobody's. `jwtUsers` and `proxyUsers` of `@skillwright/server/users` are such
   * functions. Where it rejects, the request gets 503.
   */
  readonly authenticate: (request: Request) => HostUser | undefined | Promise<HostUser | undefined>;
  /** Issuers of the tokens that `authenticate` accepts; clients send their users there. Defaults to none. */
  readonly authorizationServers?: readonly string[] | undefined;
  /** Scopes that a client should ask for. Defaults to none. */
  readonly scopes?: readonly string[] | undefined;
  /** Skills and workspaces of a user, asked at the user's first request. Defaults to those of the server. */
  readonly partsOf?: ((userId: string) => UserParts | Promise<UserParts>) | undefined;
  /** Host names of the server, without ports. Defaults to that of the address. */
  readonly hostnames?: readonly string[] | undefined;
  /** How long a user's workspace is kept while no request of theirs is open, in milliseconds. Defaults to 1,800,000 (half an hour). */
  readonly idleMs?: number | undefined;
  /** Users that have a workspace at once. Further ones take the place of idle ones, or get 503. Defaults to 256. */
  readonly maxUsers?: number | undefined;
}

/** @throws SkillError `CONFIG_INVALID` for an address without encryption. */
export function userEndpoint(options: SkillServerOptions, given: UserEndpointOptions): UserEndpoint {
  const address = checkedAddress(given.address);
  const metadataAddress = new URL(getOAuthProtectedResourceMetadataUrl(address));
  const { authenticate, authorizationServers = [], scopes = [] } = given;
  const kept = keptEndpoints(options, { hostnames: [address.hostname], ...given });

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === metadataAddress.pathname) return metadata(request);
    if (pathname !== address.pathname)
      return refusal(404, `There is nothing at this path. The server is at ${address.href}.`);
    const user = await authenticate(request);
    if (!user) return unauthenticated(request, metadataAddress);
    return (await kept.fetch(user.id, request)) ?? tooManyUsers();
  }

  function metadata({ method }: Request): Response {
    if (method !== "GET") return refusal(405, "Use GET.", { allow: "GET" });
    const document = {
      resource: address.href,
      ...(authorizationServers.length > 0 && { authorization_servers: authorizationServers }),
      ...(scopes.length > 0 && { scopes_supported: scopes }),
      bearer_methods_supported: ["header"],
    };
    // Clients in a page of any site may read it.
    return Response.json(document, { headers: { "access-control-allow-origin": "*" } });
  }

  return {
    fetch: (request) =>
      answer(request).catch((error: unknown) => {
        options.onDiagnostic?.(failedRequest(error));
        return refusal(
          503,
          "The server cannot find the user of this request, or their skills. Try again later.",
          RETRY_SOON,
        );
      }),
    close: kept.close,
    [Symbol.asyncDispose]: kept.close,
  };
}

function checkedAddress(given: string | URL): URL {
  const address = URL.parse(`${given}`);
  if (address?.protocol === "https:") return address;
  if (address?.protocol === "http:" && LOOPBACK.has(address.hostname)) return address;
  throw new SkillError(
    "CONFIG_INVALID",
    `address: ${JSON.stringify(`${given}`)} is no address with https:, or with http: on this machine, so that tokens could be read on the way. Give the address at which clients reach the server.`,
    { details: { fields: [{ path: "address" }] } },
  );
}

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
const RETRY_SOON = { "retry-after": "5" };

function unauthenticated({ headers }: Request, { href }: URL): Response {
  const isGiven = headers.has("authorization");
  const challenge = `Bearer ${isGiven ? `error="invalid_token", ` : ""}resource_metadata="${href}"`;
  const text = isGiven
    ? "The token is not accepted. Get a new one from an authorization server that the metadata names."
    : "Send a token of an authorization server that the metadata names, as `Authorization: Bearer TOKEN`.";
  return refusal(401, text, { "www-authenticate": challenge });
}

function tooManyUsers(): Response {
  return refusal(503, "The server has as many users as it takes. Try again later.", RETRY_SOON);
}

function refusal(status: number, error: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error }, { status, headers });
}

function failedRequest(error: unknown) {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    code: "mcp.user-unknown",
    severity: "error",
    message: `A request was refused because its user or their skills could not be found: ${reason.slice(0, 500)}`,
    hint: "Check `authenticate` and `partsOf`, and what they ask.",
  } as const;
}
