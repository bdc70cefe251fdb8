import type { AddressInfo } from "node:net";
import { nodeHandler } from "@skillwright/server/node";
import express from "express";
import { server } from "./server.ts";

const app = express().get("/", (_request, response) => void response.send("the application's own page"));
app.use("/", nodeHandler(server));

const http = app.listen(0, "127.0.0.1", () =>
  console.log((http.address() as AddressInfo).port, server.token),
);
