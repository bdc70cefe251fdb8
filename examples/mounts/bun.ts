import { server } from "./server.ts";

console.log(server.token);

/** Bun serves what a program exports, and prints the address. */
export default {
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 30,
  maxRequestBodySize: 2 ** 31,
  fetch: (request: Request) =>
    new URL(request.url).pathname === "/"
      ? new Response("the application's own page")
      : server.fetch(request),
};
