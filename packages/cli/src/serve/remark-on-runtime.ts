import { SkillError, type WorkspaceRuntime } from "@skillwright/core";
import type { CliContext } from "../cli-context.js";
import { diagnosticLines } from "../terminal/diagnostic-lines.js";

/**
 * Tells what is weaker or missing where commands run, or why none can run, each with the remedy. A server works without
 * them, so this is no error.
 */
export async function remarkOnRuntime(
  runtime: WorkspaceRuntime,
  { signal, remark, errorStyle }: Pick<CliContext, "signal" | "remark" | "errorStyle">,
): Promise<void> {
  try {
    const { diagnostics = [] } = await runtime.capabilities({ signal });
    const worth = diagnostics.filter(({ severity }) => severity !== "info");
    remark(...worth.flatMap((one) => diagnosticLines(one, errorStyle)));
  } catch (error) {
    if (!signal?.aborted) remark(SkillError.from(error, "Looking at where commands run").message);
  }
}
