import { SkillError } from "@skillwright/core";

/** Address of the engine, instead of searching for it. */
export interface EngineAddress {
  /** `unix:///path`, `npipe:////./pipe/name`, `tcp://host:port`, `http(s)://host:port` or `ssh://user@host`. */
  readonly host?: string | undefined;
  /**
   * Paths of PEM files. With any of them, a `tcp://` connection uses TLS; the engine's certificate is always verified.
   */
  readonly tls?: TlsFiles | undefined;
}

export interface TlsFiles {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** A parsed address. */
export type EnginePlace =
  | { readonly kind: "socket"; readonly path: string }
  | { readonly kind: "tcp"; readonly name: string; readonly port: number; readonly tls: TlsFiles | undefined }
  | { readonly kind: "ssh"; readonly target: string; readonly port: string; readonly socket: string };

const PLAIN_PORT = 2375;
const SECURED_PORT = 2376;
const SOCKET_ON_REMOTE = "/var/run/docker.sock";

/** @throws SkillError `CONFIG_INVALID` for an invalid engine address. */
export function enginePlace({ host = "", tls }: EngineAddress): EnginePlace {
  const socket = /^(?:unix|npipe):\/\/(?<path>.+)$/.exec(host)?.groups?.["path"];
  if (socket !== undefined) return { kind: "socket", path: socket };
  const url = parsedUrl(host.includes("://") ? host : `tcp://${host}`);
  if (!url || url.hostname === "") throw noAddress(host);
  const { protocol, hostname, port } = url;
  if (protocol === "ssh:") return sshPlace(url);
  if (!["tcp:", "http:", "https:"].includes(protocol)) throw noAddress(host);
  const secured = tls ?? (protocol === "https:" ? {} : undefined);
  const name = hostname.replace(/^\[(.*)\]$/, "$1");
  return { kind: "tcp", name, port: Number(port) || (secured ? SECURED_PORT : PLAIN_PORT), tls: secured };
}

function sshPlace({ username, hostname, port, pathname }: URL): EnginePlace {
  const target = username === "" ? hostname : `${decodeURIComponent(username)}@${hostname}`;
  // Otherwise ssh would treat it as an option.
  if (target.startsWith("-")) throw noAddress(`ssh://${target}`);
  return { kind: "ssh", target, port, socket: pathname.length > 1 ? pathname : SOCKET_ON_REMOTE };
}

function parsedUrl(host: string): URL | undefined {
  try {
    return new URL(host);
  } catch {
    return undefined;
  }
}

function noAddress(host: string): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `${JSON.stringify(host.slice(0, 200))} is not an address of a container engine. Give unix:///path, npipe:////./pipe/name, tcp://host:port or ssh://user@host.`,
  );
}
