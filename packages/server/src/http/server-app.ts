import { OpenAPIHono, type z } from "@hono/zod-openapi";
import { bodyLimit } from "hono/body-limit";
import { logRequests } from "../log/log-requests.js";
import type { ServerParts } from "../parts/server-parts.js";
import { agentRoutes } from "../routes/agent-routes.js";
import { approvalDetailRoutes } from "../routes/approval-detail-routes.js";
import { approvalRoutes } from "../routes/approval-routes.js";
import { artifactRoutes } from "../routes/artifact-routes.js";
import { conversationRoutes } from "../routes/conversation-routes.js";
import { fileRoutes } from "../routes/file-routes.js";
import { healthRoutes } from "../routes/health-routes.js";
import { lastingApprovalRoutes } from "../routes/lasting-approval-routes.js";
import { queueRoutes } from "../routes/queue-routes.js";
import { skillRoutes } from "../routes/skill-routes.js";
import { stateRoutes } from "../routes/state-routes.js";
import { turnRoutes } from "../routes/turn-routes.js";
import { uploadRoutes } from "../routes/upload-routes.js";
import { workspaceRoutes } from "../routes/workspace-routes.js";
import { userOf } from "../users/user-of.js";
import { bodyDeadline } from "./body-deadline.js";
import { checkAddress } from "./check-address.js";
import { checkOrigin } from "./check-origin.js";
import { crossOrigin } from "./cross-origin.js";
import type { ServerEnv, ServerRouter } from "./endpoint.js";
import { failedAnswer } from "./failed-request.js";
import { OPENAPI } from "./openapi-document.js";
import { problemResponse } from "./problem.js";
import { secondsToWait } from "./request-limit.js";

/** Bytes of a request's body, except uploads. */
const MAX_BODY_BYTES = 1024 * 1024;

/** The router with all endpoints. */
export function serverApp(parts: ServerParts): ServerRouter {
  const app = new OpenAPIHono<ServerEnv>({
    defaultHook: (result) =>
      result.success ? undefined : problemResponse("INPUT_INVALID", described(result.target, result.error)),
  });
  app.onError((error, c) => failedAnswer(httpError(error), c, parts.log));
  app.notFound(({ req: { method, path } }) => {
    const allow = methodsOf(app, path);
    if (allow.length === 0) return problemResponse("NOT_FOUND", `There is no ${method} ${path}.`);
    const detail = `There is no ${method} ${path}. The methods are: ${allow.join(", ")}.`;
    return problemResponse("METHOD_NOT_ALLOWED", detail, { allow: allow.join(", ") });
  });
  app.use(logRequests(parts.log));
  app.use(async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(HEADERS)) c.res.headers.set(name, value);
    if (!c.res.headers.has("cache-control")) c.res.headers.set("cache-control", "no-store");
  });
  app.use(crossOrigin(parts.origins));
  app.use(async (c, next) => {
    checkAddress(c.req.url);
    checkOrigin(c.req.raw, parts.origins);
    await next();
  });

  const router = app.basePath(parts.basePath) as ServerRouter;
  healthRoutes(router, parts);
  router.doc31("/openapi.json", OPENAPI);
  // Nothing above needs a user, and everything below does; unknown paths tell nothing to nobody.
  router.use("/*", async (c, next) => {
    const user = await parts.authenticate(c.req.raw);
    if (!user) return unauthenticated();
    if (!userOf(user.id)) throw unfitUser();
    const seconds = await secondsToWait(parts.limiter, user.id);
    if (seconds !== undefined) return tooMany(seconds);
    c.set("user", user);
    return await next();
  });
  uploadRoutes(router, parts);
  router.use("/*", bodyDeadline(bodyLimit({ maxSize: MAX_BODY_BYTES, onError: () => tooLarge() })));
  stateRoutes(router, parts);
  agentRoutes(router, parts);
  conversationRoutes(router, parts);
  turnRoutes(router, parts);
  queueRoutes(router, parts);
  approvalRoutes(router, parts);
  approvalDetailRoutes(router, parts);
  lastingApprovalRoutes(router, parts);
  fileRoutes(router, parts);
  artifactRoutes(router, parts);
  skillRoutes(router, parts);
  workspaceRoutes(router, parts);
  return app as ServerRouter;
}

function tooMany(seconds: number): Response {
  const detail = `You have sent too many requests. Wait ${seconds} s.`;
  return problemResponse("TOO_MANY_REQUESTS", detail, { "retry-after": String(seconds) });
}

function methodsOf({ routes }: Pick<ServerRouter, "routes">, path: string): readonly string[] {
  const segments = path.split("/");
  const isIt = (route: readonly string[]) =>
    route.length === segments.length &&
    route.every((one, at) => one === segments[at] || (one.startsWith(":") && segments[at] !== ""));
  const found = routes.filter((route) => route.method !== "ALL" && isIt(route.path.split("/")));
  return [...new Set(found.map(({ method }) => method))];
}

const HEADERS = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "referrer-policy": "no-referrer",
};

/** This is no SkillError, so that the server logs it with its stack and answers with 500: the application has made the mistake. */
function unfitUser(): Error {
  return new Error(
    "authenticate returned a user whose id is no text of 1 to 128 characters without control characters. Return such an id, or undefined where the request is nobody's.",
  );
}

function unauthenticated(): Response {
  const detail =
    "The request has no valid credentials. Send Authorization: Bearer and a token of this server.";
  return problemResponse("UNAUTHENTICATED", detail, { "www-authenticate": "Bearer" });
}

function tooLarge(): Response {
  return problemResponse(
    "TOO_LARGE",
    `The body has more than ${MAX_BODY_BYTES} bytes. Send less, or upload a file.`,
  );
}

function described(target: string, { issues }: z.ZodError): string {
  const told = issues.slice(0, 10).map(({ path, message }) => `${[target, ...path].join(".")}: ${message}`);
  return `${told.join("; ")}. Send what the OpenAPI document describes.`;
}

/** The framework's own refusals, such as a body that is no JSON, are the client's mistakes. */
function httpError(error: Error & { readonly status?: number }): unknown {
  if (error.status === undefined || error.status >= 500) return error;
  return Object.assign(new Error(error.message), {
    ...{ name: "SkillError", code: "INPUT_INVALID" },
    message: `The request cannot be read: ${error.message}. Send what the OpenAPI document describes.`,
  });
}
