import { z } from "zod";

const name = z.string().min(1);

/** The schema of `SandboxConfig`. */
export const sandbox = z.strictObject({
  kind: z
    .enum(["local", "docker"])
    .default("local")
    .describe("Processes on this machine, or containers of Docker or Podman."),
  isolation: z
    .enum(["sandbox", "auto", "none"])
    .default("sandbox")
    .describe(
      "Isolation of `local`: `sandbox` refuses to run without one, `auto` uses one where there is one, `none` uses none.",
    ),
  image: name.optional().describe("Image of `docker`; the runtime's own small one by default."),
  workDir: name.default(".").describe("Base of a relative `skillsPackage.path`."),
  root: name.optional().describe("Directory of the workspaces of `local`; the runtime's own by default."),
  skillCopies: z
    .enum(["none", "run", "workspace"])
    .optional()
    .describe("Whether commands get writable copies of skills (`run`: `local` only); `none` by default."),
  hostFolder: z
    .strictObject({
      path: name.describe("Absolute path."),
      undo: z.boolean().default(true).describe("A snapshot precedes the first change of each turn."),
      maxFiles: z
        .int()
        .min(1)
        .optional()
        .describe("Most files and folders of a snapshot; 50,000 by default."),
      maxBytes: z.int().min(1).optional().describe("Most bytes of a snapshot; 1 GiB by default."),
    })
    .optional()
    .describe(
      "A folder of the user that commands see at `work/project` and may change. The user is asked once; none by default.",
    ),
});
