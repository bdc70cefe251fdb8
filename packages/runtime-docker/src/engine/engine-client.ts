import { type CallOptions, SkillError } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import type Dockerode from "dockerode";
import type { ContainerStreams } from "../stream/container-streams.js";
import { brieflyInspected } from "./briefly-inspected.js";
import { engineError, isCutOff, isUnreachable } from "./engine-error.js";
import type { SshTunnel } from "./ssh-tunnel.js";

export interface EngineClient {
  readonly docker: Dockerode;
  /** Address for messages: `unix:///var/run/docker.sock`. */
  readonly host: string;
  /** Product name for people: `docker 20.10.24`. */
  readonly product: string;
  readonly isPodman: boolean;
  /** True where it is known to be on another machine. */
  readonly isRemote: boolean;
  /** The connections to the supervisors of its containers. */
  readonly streams: ContainerStreams;
  /** Deadline of a call, in milliseconds. */
  readonly callTimeoutMs: number;
  /**
   * Makes one engine call with a deadline and converts failures to uniform errors.
   * @param what Describes the call in messages, as in `Starting a container`.
   * @throws SkillError `ABORTED`, `BACKEND_FAILED` with the remedy and, in its details, `statusCode` where the engine
   * answered.
   */
  call<T>(what: string, work: (signal: AbortSignal) => Promise<T>, options?: CallOptions): Promise<T>;
}

/**
 * Makes calls with a deadline each, as described at `EngineClient.call`.
 * @param tunnel Where calls go through one: made ready before each of them, and doubted when a connection broke.
 */
export function engineCalls(
  host: string,
  callTimeoutMs: number,
  tunnel?: Pick<SshTunnel, "ready" | "doubt">,
): EngineClient["call"] {
  return async (what, work, { signal } = {}) => {
    checkAborted(signal);
    const ending = new AbortController();
    brieflyInspected(ending.signal, "signal");
    const timer = setTimeout(() => ending.abort(tooLate(what, host, callTimeoutMs)), callTimeoutMs);
    const stop = () => ending.abort(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });
    const begin = async () => {
      await tunnel?.ready();
      // The call was already given up.
      ending.signal.throwIfAborted();
      return await work(ending.signal);
    };
    try {
      // A race, because not every call of the client respects its signal; after the signal, its result is ignored.
      return await Promise.race([tunnel ? begin() : work(ending.signal), whenAborted(ending.signal)]);
    } catch (error) {
      checkAborted(signal);
      if (ending.signal.aborted) throw ending.signal.reason;
      const failure = engineError(error, what, host);
      if (isCutOff(failure) || isUnreachable(failure)) tunnel?.doubt();
      throw failure;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  };
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function tooLate(what: string, host: string, timeoutMs: number): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `${what} failed: the container engine at ${host} did not respond within ${timeoutMs} ms. Check whether it hangs, or raise callTimeoutMs.`,
    { details: { host, timeoutMs } },
  );
}
