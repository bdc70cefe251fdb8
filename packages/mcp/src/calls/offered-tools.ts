import type { McpServer, RegisteredTool, StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { JsonObject } from "@skillwright/core";
import type { HostSession } from "../session/host-session.js";
import type { SkillServerOptions } from "../skill-server-options.js";
import { toolCall } from "./tool-call.js";

/** Registers the session's tools under their own names, with their own descriptions and input schemas. */
export function offerTools(
  server: McpServer,
  session: HostSession,
  options: SkillServerOptions,
): ReadonlyMap<string, RegisteredTool> {
  return new Map(
    session.tools.map((tool) => {
      const { name, description, inputSchema, parallel } = tool;
      const annotations = { readOnlyHint: parallel };
      const registered = server.registerTool(
        name,
        { description, inputSchema: uncheckedSchema(inputSchema), annotations },
        (input, ctx) => toolCall(tool, input, ctx, { server, session, options }),
      );
      return [name, registered] as const;
    }),
  );
}

/** Shows the schema without applying it: the tools check their input themselves and correct common mistakes of models. */
function uncheckedSchema(schema: JsonObject): StandardSchemaWithJSON<unknown, unknown> {
  return {
    "~standard": {
      version: 1,
      vendor: "skillwright",
      validate: (value) => ({ value }),
      jsonSchema: { input: () => ({ ...schema }), output: () => ({ ...schema }) },
    },
  };
}
