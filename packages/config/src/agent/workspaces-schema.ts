import { z } from "zod";

const name = z.string().min(1);
const amount = z.union([name, z.number().min(0)], { error: "text with a unit, or a number from 0" });

const policy = z.strictObject({
  when: z.union(
    [
      z.strictObject({ idleFor: amount.describe("Since its last use, such as `15m`.") }),
      z.strictObject({ olderThan: amount.describe("Since its creation, such as `7d`.") }),
      z.strictObject({ largerThan: amount.describe("Its size, such as `2GiB`.") }),
      z.strictObject({ moreThan: z.int().min(0).describe("The number of workspaces.") }),
    ],
    { error: "exactly one of `idleFor`, `olderThan`, `largerThan` and `moreThan`" },
  ),
  do: z.enum(["destroy", "pause", "keep"]),
});

const limit = z.number().min(0).exactOptional();

const bootstrapStep = z.strictObject({
  name: name.describe("Its name, unique in the list."),
  files: z
    .array(z.strictObject({ path: name, content: z.string(), executable: z.boolean().optional() }))
    .optional()
    .describe("Files below `work/` that it writes first."),
  commands: z.array(name).optional().describe("Commands that it runs, in order."),
  network: z.boolean().optional().describe("Allows its commands the network; needs `allowNetwork`."),
  timeoutMs: z.int().min(1).optional().describe("Most milliseconds of each command; 300,000 by default."),
  cache: z
    .array(name)
    .optional()
    .describe("Folders below `work/` with all that the commands make; other workspaces can get them."),
});

/** The schema of `WorkspacesConfig`. */
export const workspaces = z.strictObject({
  policies: z
    .array(policy)
    .optional()
    .describe("When something is done with a workspace, and what; the first that applies. None by default."),
  policyInterval: amount
    .optional()
    .describe('How often conditions that are not about time are checked; "60s" by default.'),
  policyLimits: z
    .strictObject({
      timeout: amount.optional().describe("Most time; 10 minutes by default."),
      files: z.int().min(0).optional().describe("Most files; 100,000 by default."),
      bytes: amount.optional().describe("Most bytes; 4 GiB by default."),
    })
    .optional()
    .describe("Limits of a policy's operation on one workspace."),
  registry: name
    .optional()
    .describe("Absolute folder with the records of workspaces; the runtime's own registry by default."),
  hostInputRoots: z
    .array(name)
    .optional()
    .describe("Absolute folders of this machine from which `host://` inputs may be read; none by default."),
  allowNetwork: z.boolean().default(false).describe("Allows runs to request the network."),
  limits: z
    .strictObject({
      memoryBytes: limit.describe("Most bytes of memory of a run."),
      cpu: limit.describe("Most processors of a run, such as 0.5."),
      processes: limit.describe("Most processes of a run."),
      openFiles: limit.describe("Most open files of a process."),
      fileBytes: limit.describe("Most bytes of one file."),
      diskBytes: limit.describe("Most bytes of the workspace."),
      inodes: limit.describe("Most files and folders of the workspace."),
    })
    .optional()
    .describe("Limits of every run; the runtime's by default."),
  bootstrap: z
    .array(bootstrapStep)
    .optional()
    .describe("Steps that prepare each workspace; none by default."),
  environments: z
    .union(
      [
        z.enum(["auto", "none"]),
        z.strictObject({
          root: name
            .optional()
            .describe("Absolute folder of what is prepared; in the user's cache by default."),
          maxBytes: z.int().min(1).optional().describe("Most bytes of all of it; 4 GiB by default."),
        }),
      ],
      { error: '"auto", "none", or an object with `root` and `maxBytes`' },
    )
    .optional()
    .describe(
      "Prepares the packages that skills lock, after an approval that lists them. `auto` in the terminal and the command `skillwright`, else none by default.",
    ),
});
