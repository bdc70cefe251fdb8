// A server of the official SDK that offers nothing.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

serveStdio(() => new McpServer({ name: "empty", version: "1.0.0" }));
