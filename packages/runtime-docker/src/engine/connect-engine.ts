import { readFile } from "node:fs/promises";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { type CallOptions, SkillError } from "@skillwright/core";
import Dockerode from "dockerode";
import { containerStreams } from "../stream/container-streams.js";
import { brieflyInspected } from "./briefly-inspected.js";
import { type EngineAddress, type EnginePlace, enginePlace, type TlsFiles } from "./engine-address.js";
import { type EngineClient, engineCalls } from "./engine-client.js";
import { isCutOff, isUnreachable } from "./engine-error.js";
import { findEngine } from "./find-engine.js";
import type { HandedClient } from "./handed-client.js";
import { openSshTunnel, type SshTunnel } from "./ssh-tunnel.js";

export interface EngineWish {
  readonly engine?: EngineAddress | undefined;
  readonly client?: HandedClient | undefined;
  /** True where the engine of `client` is on this machine. */
  readonly clientIsLocal?: boolean | undefined;
  readonly callTimeoutMs: number;
}

export interface OpenedEngine extends EngineClient {
  /** Closes what was opened for it. */
  close(): void;
}

/**
 * Finds the engine and queries its properties.
 * @throws SkillError `ISOLATION_UNAVAILABLE` where none answers, `CONFIG_INVALID` for an invalid address or file,
 * `BACKEND_FAILED`, `ABORTED`.
 */
export async function connectEngine(wish: EngineWish, options: CallOptions = {}): Promise<OpenedEngine> {
  const { docker, host, isRemote, tunnel, remoteSocket, close } = await openClient(wish);
  const { callTimeoutMs } = wish;
  const call = engineCalls(host, callTimeoutMs, tunnel);
  const streams = containerStreams();
  try {
    const version = await call("Asking the engine for its version", () => docker.version(), options);
    const { product, isPodman } = productOf(version);
    const closeAll = () => {
      streams.close();
      close();
    };
    return { docker, host, product, isPodman, isRemote, streams, callTimeoutMs, call, close: closeAll };
  } catch (error) {
    close();
    if (remoteSocket !== undefined && isCutOff(error)) throw nobodyBehind(host, remoteSocket, error);
    if (!SkillError.is(error, "BACKEND_FAILED") || !isUnreachable(error)) throw error;
    throw new SkillError("ISOLATION_UNAVAILABLE", error.message, { cause: error, details: error.details });
  }
}

interface OpenedClient {
  readonly docker: Dockerode;
  readonly host: string;
  readonly isRemote: boolean;
  /** Through which the calls go. */
  readonly tunnel?: SshTunnel;
  /** The remote socket of a tunnel. */
  readonly remoteSocket?: string;
  close(): void;
}

async function openClient(wish: EngineWish): Promise<OpenedClient> {
  const { engine, client, clientIsLocal = false, callTimeoutMs } = wish;
  const given = { host: "the given client", isRemote: !clientIsLocal, close: () => undefined };
  if (client) return { docker: client as Dockerode, ...given };
  const place = enginePlace(await findEngine(engine));
  return {
    ...(await openPlace(place, callTimeoutMs)),
    host: shown(place),
    isRemote: place.kind !== "socket",
  };
}

async function openPlace(
  place: EnginePlace,
  timeoutMs: number,
): Promise<Pick<OpenedClient, "docker" | "tunnel" | "remoteSocket" | "close">> {
  if (place.kind === "socket")
    return clientOf({ socketPath: place.path }, new HttpAgent({ keepAlive: true }));
  if (place.kind === "ssh") {
    const tunnel = await openSshTunnel(place, timeoutMs);
    const client = clientOf({ socketPath: tunnel.socket }, new HttpAgent({ keepAlive: true }));
    const close = () => {
      client.close();
      tunnel.close();
    };
    return { docker: client.docker, tunnel, remoteSocket: place.socket, close };
  }
  const { name, port, tls } = place;
  if (!tls) return clientOf({ host: name, port }, new HttpAgent({ keepAlive: true }));
  const secured = { host: name, port, protocol: "https" as const, ...(await pemFiles(tls)) };
  return clientOf(secured, new HttpsAgent({ keepAlive: true }));
}

/** Every setting is explicit, because the client would take missing ones from the environment. */
function clientOf(
  connection: Dockerode.DockerOptions,
  agent: HttpAgent,
): { docker: Dockerode; close: () => void } {
  const nothing = {
    host: undefined,
    port: undefined,
    username: undefined,
    ca: undefined,
    cert: undefined,
    key: undefined,
  };
  const plain = { protocol: "http", pathPrefix: "/", timeout: undefined, headers: {} };
  brieflyInspected(agent, "agent");
  const docker = new Dockerode({ ...nothing, ...plain, ...connection, agent } as Dockerode.DockerOptions);
  return { docker, close: () => agent.destroy() };
}

async function pemFiles(tls: TlsFiles): Promise<Partial<Record<keyof TlsFiles, Buffer>>> {
  const read: Partial<Record<keyof TlsFiles, Buffer>> = {};
  for (const name of ["ca", "cert", "key"] as const) {
    const path = tls[name];
    if (path === undefined) continue;
    read[name] = await readFile(path).catch((error: unknown) => {
      throw new SkillError(
        "CONFIG_INVALID",
        `The TLS file ${path} cannot be read. Check engine.tls or DOCKER_CERT_PATH.`,
        {
          cause: error,
          details: { path },
        },
      );
    });
  }
  return read;
}

/** The address without a password that it may contain. */
function shown(place: EnginePlace): string {
  if (place.kind === "socket")
    return place.path.startsWith("//") ? `npipe://${place.path}` : `unix://${place.path}`;
  if (place.kind === "ssh") return `ssh://${place.target}${place.port && `:${place.port}`}`;
  return `tcp://${place.name.includes(":") ? `[${place.name}]` : place.name}:${place.port}`;
}

function nobodyBehind(host: string, socket: string, cause: unknown): SkillError {
  return new SkillError(
    "ISOLATION_UNAVAILABLE",
    `The machine of ${host} was reached, but no container engine answers at its socket ${socket}. Start it there, check that the ` +
      `user can access it, or give another socket: ${host}/path.`,
    { cause, details: { host, socket } },
  );
}

function productOf(version: Dockerode.DockerVersion): { product: string; isPodman: boolean } {
  const isPodman = version.Components?.some(({ Name }) => /podman/i.test(Name)) ?? false;
  const number = /^[0-9.]+/.exec(String(version.Version))?.[0] ?? "of unknown version";
  return { product: `${isPodman ? "podman" : "docker"} ${number}`, isPodman };
}
