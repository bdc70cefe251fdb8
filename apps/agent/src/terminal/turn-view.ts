import { type AgentEvent, type AgentEventListener, catalogDiagnostics } from "@skillwright/agent";
import type { ArtifactVersion, CatalogSnapshot, Diagnostic, JsonValue, RunEvent } from "@skillwright/core";
import { callFailed } from "./call-failed.js";
import { formatBytes, formatCount, formatDuration } from "./format.js";
import { outputView } from "./output-view.js";
import { printable } from "./printable.js";
import type { Screen } from "./screen.js";
import { textView } from "./text-view.js";

/**
 * Shows a turn live: every step with its duration, sizes, output, and the answer as it is written.
 * @param told The snapshot whose diagnostics the banner showed; they are not repeated.
 */
export function turnView(screen: Screen, told?: CatalogSnapshot): AgentEventListener {
  const { colours } = screen;
  const output = outputView(screen);
  const answer = textView(screen);
  const shown = new Set(told ? catalogDiagnostics(told).map(({ message }) => message) : []);
  let inText = false;

  return (event) => {
    if (event.type === "text") return text(event.text);
    if (inText) {
      answer.end();
      screen.line();
      inText = false;
    }
    if (event.type === "tool.progress") return progress(event.event);
    output.end();
    show(event);
  };

  function show(event: AgentEvent): void {
    if (event.type === "turn.started") {
      const size = `${event.systemPromptCharacters.toLocaleString("en-US")} characters of system prompt`;
      step("overview", `${formatCount(event.skills, "skill")}, ${size}`);
    } else if (event.type === "notice") {
      if (!shown.has(event.diagnostic.message)) warning(event.diagnostic);
    } else if (event.type === "tool.call") {
      screen.line(`  ${colours.cyan("▸")} ${colours.bold(event.tool)}  ${summary(event.input)}`);
    } else if (event.type === "tool.response") {
      for (const artifact of event.artifacts) saved(artifact);
      for (const diagnostic of event.diagnostics) warning(diagnostic);
      if (event.tool === "skill_manage" && Object(event.output).waits === true)
        detail("waits for your decision: /proposals in --chat");
      const size = formatBytes(JSON.stringify(event.output).length);
      const how = event.isError ? colours.red(`refused: ${refusal(event.output)}`) : `${size} for the model`;
      const mark = callFailed(event) ? colours.red("✗") : colours.green("✓");
      screen.line(`  ${mark} ${event.tool}  ${how} ${time(event.durationMs)}`);
    }
  }

  function progress(event: RunEvent): void {
    if (event.type === "run.output") {
      output.write(event.stream, event.text);
      return;
    }
    output.end();
    if (event.type === "workspace.created") detail(`workspace ready ${time(event.durationMs)}`);
    else if (event.type === "skill.staged") {
      const what = `${formatCount(event.files, "file")}, ${formatBytes(event.bytes)}`;
      detail(
        event.changed
          ? `staged ${event.skill}: ${what} ${time(event.durationMs)}`
          : `${event.skill} is already staged`,
      );
    } else if (event.type === "input.staged") detail(`input ${event.path}, ${formatBytes(event.bytes)}`);
    else if (event.type === "run.started")
      for (const line of printable(event.command).split("\n")) detail(colours.dim(`$ ${line}`));
    else if (event.type === "run.output-dropped")
      detail(colours.yellow(`${formatBytes(event.bytes)} of ${event.stream} not shown`));
    else if (event.type === "run.ended") {
      const ending = event.timedOut ? "ended by its timeout" : `exit code ${event.exitCode}`;
      const coloured = event.exitCode === 0 && !event.timedOut ? ending : colours.red(ending);
      detail(`${coloured}, isolation: ${event.isolation} ${time(event.durationMs)}`);
    } else if (event.type === "output.collected")
      detail(`output ${event.path}, ${event.mimeType}, ${formatBytes(event.bytes)}`);
  }

  function text(piece: string): void {
    output.end();
    if (!inText) screen.write(`\n${colours.bold("Agent:")}\n`);
    inText = true;
    answer.write(piece);
  }

  function saved({ name, version, size }: ArtifactVersion): void {
    detail(`${colours.green("saved")} ${name}, version ${version}, ${formatBytes(size)}`);
  }

  function warning({ severity, message, hint }: Diagnostic): void {
    if (severity !== "info") screen.prose(`    ${colours.yellow("!")} ${message} ${hint}`, 6);
  }

  function step(name: string, what: string): void {
    screen.line(`  ${colours.green("✓")} ${colours.bold(name)}  ${what}`);
  }

  function detail(what: string): void {
    screen.line(`    ${what}`);
  }

  function time(milliseconds: number): string {
    return colours.dim(`(${formatDuration(milliseconds)})`);
  }
}

/** The most informative field of a call: the skill, the path, otherwise the input itself. */
function summary(input: JsonValue): string {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return "";
  const fields = input as Readonly<Record<string, JsonValue>>;
  for (const field of ["skill", "path", "command", "query"])
    if (typeof fields[field] === "string") return printable(fields[field]).replace(/\s+/g, " ");
  return Object.keys(fields).length === 0 ? "" : JSON.stringify(fields);
}

/** Without what is said to the model only. */
function refusal(output: JsonValue): string {
  const { error } = Object(output) as { error?: { message?: unknown } };
  if (typeof error?.message !== "string") return JSON.stringify(output);
  return error.message.replace(/ Do not try again[^.]*\.$/, "");
}
