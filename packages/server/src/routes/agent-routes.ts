import { z } from "@hono/zod-openapi";
import { added, NO_USE } from "../conversations/conversation.js";
import { skillUsage } from "../conversations/skill-usage.js";
import { endpoint, json, jsonAnswer, type ServerRouter } from "../http/endpoint.js";
import { usageSchema } from "../http/schemas.js";
import type { ServerParts } from "../parts/server-parts.js";

const agent = z
  .object({
    ...{ name: z.string(), provider: z.string(), model: z.string(), isDefault: z.boolean() },
    /** When its workspaces are paused or destroyed. */
    policies: z.array(
      z.object({ when: z.record(z.string(), z.union([z.string(), z.number()])), do: z.string() }),
    ),
  })
  .openapi("Agent");

const ofSkills = z.array(
  z.object({
    ...{ skill: z.string(), offered: z.int(), loaded: z.int(), run: z.int(), failed: z.int() },
    ...{ durationMs: z.number(), tokens: z.int() },
  }),
);

const usage = z.object({
  total: usageSchema,
  conversations: z.array(usageSchema.extend({ conversation: z.string() })),
});

/** The served agents, and what their models used for the user. */
export function agentRoutes(router: ServerRouter, { agents, conversations }: ServerParts): void {
  endpoint(
    router,
    {
      ...{ method: "get", path: "/agents", operationId: "listAgents", tags: ["agents"] },
      summary: "Lists the agents. The default one answers conversations that name none.",
      responses: { 200: jsonAnswer("The agents.", z.array(agent)) },
    },
    () =>
      json(
        Object.entries(agents.served).map(([name, { modelConfig, workspaces }], index) => {
          const { provider, model } = modelConfig;
          return { name, provider, model, isDefault: index === 0, policies: workspaces?.policies ?? [] };
        }),
      ),
  );
  endpoint(
    router,
    {
      ...{ method: "get", path: "/usage", operationId: "usage", tags: ["agents"] },
      summary: "Counts the turns, model calls and tokens of the user's conversations.",
      responses: { 200: jsonAnswer("The counts.", usage) },
    },
    async ({ user, signal }) => {
      const all = await conversations.list(user.id, { signal });
      return json({
        total: all.reduce((total, one) => added(total, one.usage), NO_USE),
        conversations: all.map(({ id, usage: used }) => ({ conversation: id, ...used })),
      });
    },
  );
  endpoint(
    router,
    {
      ...{ method: "get", path: "/usage/skills", operationId: "skillUsage", tags: ["agents"] },
      summary:
        "Counts how often the user's conversations offered, loaded and ran each skill, with failures, time and tokens.",
      responses: { 200: jsonAnswer("The counts, most run first.", ofSkills) },
    },
    async ({ user, signal }) => {
      const all = await conversations.list(user.id, { signal });
      const messages = [];
      for (const { id } of all) messages.push(...(await conversations.messages(user.id, id, { signal })));
      const offers = all.map((one) => one.offers);
      return json(skillUsage(messages, offers));
    },
  );
}
