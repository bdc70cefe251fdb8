import { texts } from "../texts/index.js";
import { watchedFetch } from "./connection.js";
import { authorization } from "./token.js";

/** Address of the API: beside the page, wherever a proxy has placed both. */
export const API = new URL("v1", new URL(".", document.baseURI)).href;

/** A refusal of the server. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, detail: string) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

export interface Asked {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly json?: unknown;
  /** The part of a file that is wanted. */
  readonly range?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request with the user's token. @throws ApiError where the server refuses it. */
export async function request(path: string, { method, json, range, signal }: Asked = {}): Promise<Response> {
  const answer = await watchedFetch(`${API}${path}`, {
    method: method ?? (json === undefined ? "GET" : "POST"),
    headers: {
      ...authorization(),
      ...(json !== undefined && { "content-type": "application/json" }),
      ...(range !== undefined && { range }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(signal && { signal }),
  });
  if (answer.ok) return answer;
  throw await refusal(answer);
}

export async function requestJson<T>(path: string, asked?: Asked): Promise<T> {
  const answer = await request(path, asked);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

/** The path below the API of an address that the server gave, whatever prefix it has. */
export function pathOf(address: string): string {
  return address.slice(Math.max(0, address.indexOf("/conversations/")));
}

async function refusal(answer: Response): Promise<ApiError> {
  // A proxy's answer may be no JSON; its status is shown then.
  const problem = (await answer.json().catch(() => ({}))) as { detail?: string; code?: string };
  const detail = problem.detail ?? texts.app.serverAnswered(answer.status);
  return new ApiError(answer.status, problem.code ?? "UNKNOWN", detail);
}
