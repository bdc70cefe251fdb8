import { resolve } from "node:path";
import { type RunEventListener, SkillError } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import { localHost } from "@skillwright/skillbox";
import { workspaceManager } from "@skillwright/workspace";
import type { CliContext } from "../cli-context.js";
import { configuredEnvironment } from "../environments/configured-environment.js";
import { configuredStore } from "../environments/configured-store.js";
import { writableFolder } from "../handing-on/writable-folder.js";
import { openSkill } from "../skills/open-skill.js";
import { counted, formatBytes, formatDuration } from "../terminal/amounts.js";
import { checkUsable } from "./check-usable.js";
import { commandRuntime } from "./command-runtime.js";
import { copyOutputs } from "./copy-outputs.js";
import { resultLines } from "./result-lines.js";
import { uploadFiles } from "./upload-files.js";

const INTERRUPTED = 130;

export interface RunSkillOptions {
  /** A name or a path. */
  readonly skill: string;
  /** Shell text. */
  readonly command: string;
  /** Values of `--skills`. */
  readonly places: readonly string[];
  readonly files: readonly string[];
  /** `NAME=value`. */
  readonly env: readonly string[];
  readonly out: string | undefined;
  readonly isolation: "sandbox" | "auto" | "none" | undefined;
  readonly timeoutMs: number | undefined;
}

/**
 * Runs one command of a skill, in a workspace that is removed afterwards. The command reads the context's input; its
 * output goes live to standard output and error, everything else to standard error.
 * @returns The command's exit code; 130 where the signal ended it; 1 for a command that succeeded where an output could not be copied.
 * @throws SkillError `UNSUPPORTED` for a skill that cannot be used here, before anything is created for it.
 */
export async function runSkill(options: RunSkillOptions, context: CliContext): Promise<number> {
  const { signal } = context;
  const env = variables(options.env);
  await using opened = await openSkill(options.skill, options.places, context);
  const { skill, catalog } = opened;
  const settings = await opened.settings();
  const host = localHost({ env: context.env });
  await checkUsable(skill, { settings, host, variables: env });
  const out = options.out === undefined ? undefined : resolve(context.cwd, options.out);
  if (out !== undefined) await writableFolder(out, { what: "Outputs", option: "--out" });
  const isolation = options.isolation ?? (skill.trusted ? "auto" : "sandbox");
  await using runtime = commandRuntime({ isolation });
  const environment = configuredEnvironment(settings, host, context);
  const { store, usedByRuns } = await configuredStore(context);
  const parts = { skills: catalog, runtime, environment, environments: usedByRuns ? store : undefined };
  await using workspaces = workspaceManager({ ...parts, destroyOnClose: true });
  const onEvent = runProgress(context);
  const { id } = await workspaces.create({ signal, onEvent });
  await uploadFiles(options.files, { workspaces, id, context });
  const result = await workspaces.run(
    id,
    {
      skill: skill.name,
      command: options.command,
      env,
      timeoutMs: options.timeoutMs,
      endsWithHost: true,
      stdin: context.stdin,
      outputs: { globs: ["out/**"] },
    },
    {
      signal,
      onEvent,
      eventLimits: { bytes: Number.POSITIVE_INFINITY, bytesPerSecond: Number.POSITIVE_INFINITY },
    },
  );
  // Outputs made before an interruption are still copied.
  const kept = result.aborted ? { ...context, signal: undefined } : context;
  const changed = result.outputs.filter(({ unchanged }) => !unchanged);
  const copied = out === undefined ? [] : await copyOutputs(changed, out, { workspaces, id, context: kept });
  context.remark(...resultLines(result, changed, copied, context.errorStyle));
  if (result.aborted) return INTERRUPTED;
  return result.exitCode || (copied.some((one) => "error" in one) ? 1 : 0);
}

function variables(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
      if (name !== undefined && value !== undefined) return [name, value];
      throw new SkillError("INPUT_INVALID", `--env ${JSON.stringify(text)} is not NAME=value.`);
    }),
  );
}

/** Shows progress live; the command's own output passes through unchanged. */
function runProgress({ stdout, stderr, errorStyle, remark }: CliContext): RunEventListener {
  return (event) => {
    switch (event.type) {
      case "skill.staged":
        return remark(
          errorStyle.dim(
            `  stage ${shownLine(event.skill)} (${counted(event.files, "file")}, ${formatBytes(event.bytes)}, ${formatDuration(event.durationMs)})`,
          ),
        );
      case "run.started":
        return remark(errorStyle.dim(`  run   ${shownLine(event.command)}`));
      case "run.output":
        return void (event.stream === "stdout" ? stdout : stderr).write(event.text);
      default:
        return undefined;
    }
  };
}
