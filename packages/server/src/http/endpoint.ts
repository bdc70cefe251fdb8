import type { OpenAPIHono, RouteConfig, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ServerUser } from "../server-options.js";
import { problemSchema } from "./problem.js";

/** The server's router. `user` is set for every route that needs a user. */
export type ServerRouter = OpenAPIHono<ServerEnv>;

export interface ServerEnv {
  readonly Variables: { user: ServerUser; requestId: string };
}

/** A route with its answers. */
export interface Endpoint extends RouteConfig {
  readonly request?: {
    readonly params?: z.ZodObject;
    readonly query?: z.ZodObject;
    readonly headers?: z.ZodObject;
    readonly body?: RouteBody;
  };
}

interface RouteBody {
  readonly required?: boolean;
  readonly content: Readonly<Record<string, { readonly schema: z.ZodType | object }>>;
}

/** The checked parts of a request. */
export interface Call<R extends Endpoint> {
  readonly params: Part<R, "params">;
  readonly query: Part<R, "query">;
  readonly headers: Part<R, "headers">;
  readonly body: R extends { request: { body: { content: { "application/json": { schema: infer S } } } } }
    ? S extends z.ZodType
      ? z.output<S>
      : undefined
    : undefined;
  readonly user: ServerUser;
  readonly request: Request;
  /** Fires when the client has gone. */
  readonly signal: AbortSignal;
}

type Part<R, K extends string> = R extends { request: Record<K, infer S extends z.ZodType> }
  ? z.output<S>
  : undefined;

/** Adds a route; its request is checked before the handler gets it. */
export function endpoint<const R extends Endpoint>(
  router: ServerRouter,
  route: R,
  handle: (call: Call<R>) => Promise<Response> | Response,
): void {
  const { body } = route.request ?? {};
  const isJson = body !== undefined && "application/json" in body.content;
  const answer = async (c: Context<ServerEnv>) => {
    const valid = (c.req as unknown as { valid(part: string): unknown }).valid.bind(c.req);
    const { raw } = c.req;
    return await handle({
      params: route.request?.params && valid("param"),
      query: route.request?.query && valid("query"),
      headers: route.request?.headers && valid("header"),
      body: isJson ? valid("json") : undefined,
      user: c.get("user"),
      request: raw,
      signal: raw.signal,
    } as Call<R>);
  };
  router.openapi({ ...route, responses: { ...route.responses, default: PROBLEM } } as never, answer as never);
}

const PROBLEM = {
  description: "The request failed.",
  content: { "application/problem+json": { schema: problemSchema } },
};

/** An answer with this JSON. */
export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

/** A described answer with a JSON body. */
export function jsonAnswer<S extends z.ZodType>(description: string, schema: S) {
  return { description, content: { "application/json": { schema } } };
}

/** A required JSON body. */
export function jsonBody<S extends z.ZodType>(schema: S) {
  return { required: true, content: { "application/json": { schema } } };
}
