import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { type CallOptions, SkillError } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import type { KubernetesRuntimeOptions } from "../kubernetes-runtime-options.js";
import { type Access, clusterAccess } from "./cluster-access.js";
import { answerError, statusOf, unreachable } from "./cluster-error.js";
import { linesOf } from "./lines-of.js";
import { type ExecWish, execCall, type PodExec, startExec } from "./pod-exec.js";
import { untilAccepted } from "./until-accepted.js";

export interface ClusterCall {
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE" | undefined;
  /** With the query. */
  readonly path: string;
  readonly body?: unknown;
  /**
   * For `POST`, true: the caller recognises an object that an earlier try of the call has made. For `PATCH`, false: it
   * names the version that it changes, so that the same call fails again where another one came first.
   */
  readonly mayRepeat?: boolean | undefined;
  /** For messages: "Creating the pod of the workspace w1". */
  readonly doing: string;
}

/** A connection to the API server of one cluster. */
export interface Cluster {
  readonly namespace: string;
  /** The time of the API server in milliseconds, whatever the clock of this host says. Asks it only the first time. */
  now(options?: CallOptions): Promise<number>;
  /** @throws SkillError `BACKEND_FAILED` with `details.status`, `ABORTED`, and by status as `answerError` tells. */
  call<T>(call: ClusterCall, options?: CallOptions): Promise<T>;
  /** Like `call`, and `undefined` where there is no such object. */
  find<T>(call: ClusterCall, options?: CallOptions): Promise<T | undefined>;
  /** The events of a watch, until the server ends it. */
  watch<T>(call: ClusterCall, options?: CallOptions): AsyncGenerator<T, void, undefined>;
  exec(wish: ExecWish, options?: CallOptions): Promise<PodExec>;
  close(): void;
}

const CONTENT_TYPES = {
  POST: "application/json",
  PATCH: "application/merge-patch+json",
  DELETE: "application/json",
};

/** @throws SkillError `CONFIG_INVALID` where no cluster is configured. */
export async function connectCluster(
  options: KubernetesRuntimeOptions,
  callTimeoutMs: number,
): Promise<Cluster> {
  const access = await clusterAccess(options);
  let wasThere = false;
  let aheadMs: number | undefined;
  const accepted = untilAccepted();
  const agent = new Agent({ keepAlive: true, maxSockets: 64, ...access.tls });

  async function send(
    call: ClusterCall,
    { signal }: CallOptions,
    timeoutMs: number | undefined,
  ): Promise<IncomingMessage> {
    checkAborted(signal);
    const { method = "GET", path, body } = call;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...(await access.headers()),
      accept: "application/json",
      ...(text !== undefined &&
        method !== "GET" && {
          "content-type": CONTENT_TYPES[method],
          "content-length": Buffer.byteLength(text),
        }),
    };
    return await new Promise<IncomingMessage>((resolve, reject) => {
      const fail = (error: Error) =>
        reject(signal?.aborted ? signal.reason : unreachable(call, access.server, error, wasThere));
      const sent = request(
        new URL(path, access.server),
        { method, headers, agent, ...(signal && { signal }) },
        (answer) => {
          wasThere = true;
          const { date } = answer.headers;
          if (date !== undefined) aheadMs = Date.parse(date) - Date.now();
          resolve(answer);
        },
      );
      sent.on("error", fail);
      if (timeoutMs !== undefined)
        sent.setTimeout(timeoutMs, () => sent.destroy(new Error(`no answer within ${timeoutMs} ms`)));
      sent.end(text);
    });
  }

  async function call<T>(wanted: ClusterCall, options: CallOptions = {}): Promise<T> {
    const once = async () => {
      const answer = await send(wanted, options, callTimeoutMs);
      const text = await textOf(answer, wanted, access);
      if ((answer.statusCode ?? 500) >= 300) throw answerError(wanted, answer.statusCode ?? 500, text);
      return contentOf<T>(text, wanted, access);
    };
    try {
      return await accepted(wanted, once, options);
    } catch (error) {
      checkAborted(options.signal);
      throw SkillError.from(error, wanted.doing);
    }
  }

  async function find<T>(wanted: ClusterCall, options?: CallOptions): Promise<T | undefined> {
    try {
      return await call<T>(wanted, options);
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  }

  async function* watch<T>(
    wanted: ClusterCall,
    options: CallOptions = {},
  ): AsyncGenerator<T, void, undefined> {
    const open = async () => {
      const answer = await send(wanted, options, undefined);
      if ((answer.statusCode ?? 500) < 300) return answer;
      throw answerError(wanted, answer.statusCode ?? 500, await textOf(answer, wanted, access));
    };
    const answer = await accepted(wanted, open, options);
    try {
      for await (const line of linesOf(answer)) yield JSON.parse(line) as T;
    } catch (error) {
      checkAborted(options.signal);
      throw unreachable(wanted, access.server, error as Error, true);
    } finally {
      answer.destroy();
    }
  }

  async function now(options?: CallOptions): Promise<number> {
    if (aheadMs === undefined) await call({ path: "/version", doing: "Asking for the time" }, options);
    return Date.now() + (aheadMs ?? 0);
  }

  async function exec(wish: ExecWish, options: CallOptions = {}): Promise<PodExec> {
    const call = execCall(access.namespace, wish);
    const start = () => startExec(access, call, { ...options, callTimeoutMs, wasThere });
    return await accepted(call, start, options);
  }

  return {
    namespace: access.namespace,
    now,
    call,
    find,
    watch,
    exec,
    close: () => agent.destroy(),
  };
}

function contentOf<T>(text: string, call: ClusterCall, { server }: Access): T {
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw unreachable(call, server, error as Error);
  }
}

async function textOf(answer: IncomingMessage, call: ClusterCall, { server }: Access): Promise<string> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of answer) pieces.push(piece as Buffer);
  } catch (error) {
    throw unreachable(call, server, error as Error, true);
  }
  return Buffer.concat(pieces).toString("utf8");
}
