import { z } from "zod";

const name = z.string().min(1);

/** The schema of the agent's `skillTools`. */
export const skillTools = z.strictObject({
  preset: z
    .enum(["load", "activate", "read", "files"])
    .default("load")
    .describe(
      "Which tools show skills: `skill_load`, `skill_activate`, `skill_read`, or `files`: `skill_load` and `skill_read`.",
    ),
  search: z
    .boolean()
    .optional()
    .describe("Adds `skill_search`; by default where the overview cannot hold all skills."),
  calls: z
    .union([z.boolean(), z.literal("tools")], { error: 'true, false or "tools"' })
    .default(false)
    .describe(
      'How skills with parameters are called: `true` adds `skill_call`, `"tools"` a tool `run_<name>` for each loaded one.',
    ),
  requireLoad: z
    .boolean()
    .default(false)
    .describe("A skill must be loaded in the conversation before it runs."),
  maxResultCharacters: z
    .int()
    .min(4096)
    .optional()
    .describe("Most characters of one tool result; 65,536 by default."),
  manage: z
    .union(
      [
        z.boolean(),
        z.strictObject({
          scopes: z.record(name, name).optional().describe("Names and the sources that they stand for."),
          review: z
            .enum(["ask", "later", "none"])
            .optional()
            .describe("When a person decides on a change; `ask` by default."),
        }),
      ],
      { error: "true, false, or an object with `scopes` and `review`" },
    )
    .default(false)
    .describe("Adds `skill_manage`, with which the model changes skills of a writable catalogue."),
  interactive: z
    .union(
      [
        z.boolean(),
        z.strictObject({
          maxRuns: z.int().min(1).optional().describe("Most runs at a time; 8 by default."),
          idleMs: z
            .int()
            .min(1)
            .optional()
            .describe("Milliseconds after which an unused run is ended; 30 minutes by default."),
        }),
      ],
      { error: "true, false, or an object with `maxRuns` and `idleMs`" },
    )
    .default(false)
    .describe("Adds the tools for interactive runs."),
  preApproved: z
    .boolean()
    .default(false)
    .describe("Commands that `allowed-tools` of a trusted skill names skip `dependencies.mustAsk`."),
  saveOutputs: z.boolean().default(false).describe("Saves outputs as artifacts without a request."),
  commands: z
    .strictObject({
      allowed: z.array(name).optional().describe("The only programs that may run; all by default."),
      denied: z.array(name).optional().describe("Programs that may not run; none by default."),
    })
    .optional()
    .describe("The programs that may run."),
});
