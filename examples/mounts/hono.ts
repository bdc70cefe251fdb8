import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { server } from "./server.ts";

const app = new Hono().get("/", (c) => c.text("the application's own page"));
app.mount("/", (request) => server.fetch(request));

serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => console.log(port, server.token));
