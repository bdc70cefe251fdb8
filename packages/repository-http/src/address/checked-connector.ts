import { lookup as systemLookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { SkillError } from "@skillwright/core";
import { buildConnector } from "undici";
import type { ResolveHost } from "../http-repository-options.js";
import { isPublicAddress } from "./public-address.js";

export interface ConnectorOptions {
  /** True where this origin does not need a public address. */
  readonly mayBePrivate: (origin: string) => boolean;
  readonly resolve: ResolveHost | undefined;
  readonly certificateAuthorities: readonly string[] | undefined;
  readonly timeoutMs: number;
  /** The remedy in the message about an address that is not public. */
  readonly remedy?: string | undefined;
}

/**
 * Connects only to hosts whose addresses are all public. It connects to exactly the addresses that were checked, since
 * they are not resolved again.
 */
export function checkedConnector(options: ConnectorOptions): buildConnector.connector {
  const { mayBePrivate, resolve = systemAddresses } = options;
  const toAny = connectorBy(resolve, options);
  const toPublic = connectorBy(publicOnly(resolve, options), options);
  return (place, callback) => {
    const { hostname, protocol, host = hostname } = place;
    if (mayBePrivate(new URL(`${protocol}//${host}`).origin)) toAny(place, callback);
    // An address literal is connected to without a lookup.
    else if (isIP(hostname) !== 0 && !isPublicAddress(hostname))
      callback(privateHost(hostname, hostname, options), null);
    else toPublic(place, callback);
  };
}

function connectorBy(
  resolve: ResolveHost,
  { certificateAuthorities, timeoutMs }: ConnectorOptions,
): buildConnector.connector {
  return buildConnector({
    timeout: timeoutMs,
    // Node resolves several addresses through this function, too.
    lookup: checkedLookup(resolve),
    ...(certificateAuthorities && { ca: [...certificateAuthorities] }),
  } as buildConnector.BuildOptions);
}

async function systemAddresses(hostname: string): Promise<readonly string[]> {
  return (await systemLookup(hostname, { all: true })).map(({ address }) => address);
}

function publicOnly(resolve: ResolveHost, options: ConnectorOptions): ResolveHost {
  return async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, "");
    // Some systems would ask a name server for these.
    if (name === "localhost" || name.endsWith(".localhost"))
      throw privateHost(hostname, "this machine", options);
    const addresses = await resolve(name);
    const forbidden = addresses.find((address) => !isPublicAddress(address));
    if (forbidden !== undefined) throw privateHost(hostname, forbidden, options);
    return addresses;
  };
}

function checkedLookup(resolve: ResolveHost): LookupFunction {
  return (hostname, { all, family }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const found = addresses
          .map((address) => ({ address, family: isIP(address) }))
          .filter((one) => one.family !== 0 && (!family || one.family === family));
        const [first] = found;
        if (!first) callback(new Error(`${hostname} has no address`), "");
        else if (all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ""),
    );
  };
}

function privateHost(
  hostname: string,
  address: string,
  {
    remedy = "Set allowPrivate: true to allow it for the origins of url and allowOrigins.",
  }: ConnectorOptions,
): SkillError {
  const at = hostname === address ? "" : ` is at ${address}, which`;
  const message = `The host ${hostname}${at} is not a public address. ${remedy}`;
  return new SkillError("REFUSED", message);
}
