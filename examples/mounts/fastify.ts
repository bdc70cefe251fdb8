import type { AddressInfo } from "node:net";
import { nodeHandler } from "@skillwright/server/node";
import { fastify } from "fastify";
import { server } from "./server.ts";

const app = fastify().get("/", async () => "the application's own page");
app.register(async (agent) => {
  agent.removeAllContentTypeParsers();
  agent.addContentTypeParser("*", (_request, _body, done) => done(null));
  agent.all("/v1/*", (request, reply) => void nodeHandler(server)(request.raw, reply.hijack().raw));
});

await app.listen({ port: 0, host: "127.0.0.1" });
console.log((app.server.address() as AddressInfo).port, server.token);
