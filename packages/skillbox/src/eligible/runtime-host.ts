import type { WorkspaceRuntime } from "@skillwright/core";
import type { RuntimeCapabilities } from "@skillwright/core/adapter";
import type { SkillHost } from "./local-host.js";

export interface RuntimeHostOptions {
  /** Variables of this machine that may be passed to skills. Defaults to `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Systems that commands run on, as Node names them. Defaults to Linux, as in containers. */
  readonly systems?: readonly string[] | undefined;
  /** Where the runtime looks for programs, as people know it: `the image node:22`. */
  readonly place: string;
  /** How other programs get there, as a sentence. */
  readonly remedy: string;
}

/**
 * A host elsewhere: a container's image or another machine, of which the runtime tells the programs. While the runtime
 * cannot tell them, or cannot be reached, every program counts as present; a run then reports what is missing.
 */
export function runtimeHost(
  runtime: Pick<WorkspaceRuntime, "capabilities">,
  { env = process.env, systems = ["linux"], place, remedy }: RuntimeHostOptions,
): SkillHost {
  let told: { readonly by: RuntimeCapabilities; readonly names: ReadonlySet<string> | undefined } | undefined;

  async function look(): ReturnType<SkillHost["look"]> {
    // A run reports why the runtime cannot be reached.
    const by = await runtime.capabilities().catch(() => undefined);
    if (by && told?.by !== by) told = { by, names: by.programs && new Set(by.programs) };
    const names = by ? told?.names : undefined;
    return {
      systems,
      programsIn: { place, remedy },
      hasProgram: (name) => names?.has(name),
      variable: (name) => (Object.hasOwn(env, name) ? env[name] : undefined),
    };
  }

  return { look };
}
