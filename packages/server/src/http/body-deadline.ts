import type { MiddlewareHandler } from "hono";
import { problemResponse } from "./problem.js";

/** How long the body of a request that is no upload may take. */
const BODY_MS = 30_000;

/** Waits for the whole body, which the handlers then have, and answers 408 where it does not arrive in time. */
export function bodyDeadline(limited: MiddlewareHandler): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.method === "GET" || c.req.method === "HEAD") return await limited(c, next);
    let timer: NodeJS.Timeout | undefined;
    let isLate = false;
    let answer: ReturnType<MiddlewareHandler> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        isLate = true;
        resolve();
      }, BODY_MS);
    });
    const arrived = new Promise<void>((resolve, reject) => {
      answer = limited(c, async () => {
        await c.req.text();
        if (isLate) return;
        resolve();
        await next();
      });
      answer.then(() => resolve(), reject);
    });
    try {
      // Where it is late, it fails once the connection is closed.
      arrived.catch(() => undefined);
      await Promise.race([arrived, late]);
      return isLate ? tooSlow() : await answer;
    } finally {
      clearTimeout(timer);
    }
  };
}

function tooSlow(): Response {
  const detail = `The body did not arrive within ${BODY_MS / 1000} s. Send the request again, with the whole body.`;
  return problemResponse("TOO_SLOW", detail, { connection: "close" });
}
