import { type CallOptions, SkillError } from "@skillwright/core";
import type { SkillProposal, SkillProposals } from "@skillwright/tools";
import type { App } from "./app.js";
import { escaped } from "./escaped-rows.js";
import { fileChangeLines } from "./file-changes.js";
import { formatCount } from "./format.js";
import type { Screen } from "./screen.js";

interface ProposalContext {
  readonly screen: Screen;
  readonly app: App;
  readonly signal: AbortSignal;
}

/** Lists the changes of skills that wait; with an id shows, applies or refuses one. */
export async function proposalCommand(context: ProposalContext, argument: string): Promise<void> {
  const { proposals } = context.app.agent;
  if (!proposals) throw noneHere();
  const [first = "", second = ""] = argument.split(/\s+/);
  if (first === "") return await list(context, proposals);
  const action = first === "apply" || first === "refuse" ? first : "show";
  const proposal = await chosen(proposals, action === "show" ? first : second, context);
  if (action === "show") await show(context, proposals, proposal);
  else if (action === "apply") await apply(context, proposals, proposal);
  else await refuse(context, proposals, proposal);
}

/** Digests of the changes that a person has seen, by id: only these can be applied. */
const seen = new WeakMap<App, Map<string, string>>();

const ID_LENGTH = 8;
const MOST_LINES = 400;

async function list({ screen, signal }: ProposalContext, proposals: SkillProposals): Promise<void> {
  const waiting = await proposals.list({ signal });
  if (waiting.length === 0) return screen.prose("  No changes of skills wait for your decision.");
  for (const { id, action, name, repository, newFindings, createdAt } of waiting) {
    const found = newFindings.length > 0 ? `, ${formatCount(newFindings.length, "new finding")}` : "";
    screen.line(
      `  ${shortId(id)}  ${action}  ${screen.colours.bold(escaped(name))}  ${escaped(repository)}, ${createdAt}${found}`,
    );
  }
  screen.prose("  /proposals ID shows one; /proposals apply ID and /proposals refuse ID decide.");
}

async function show(
  { screen, app, signal }: ProposalContext,
  proposals: SkillProposals,
  proposal: SkillProposal,
): Promise<void> {
  const { id, action, name, repository, digest, changes, findings } = proposal;
  screen.line(`  ${shortId(id)}  ${action}  ${screen.colours.bold(escaped(name))}  ${escaped(repository)}`);
  screen.line(`  ${screen.colours.dim(digest)}`);
  for (const { path, change } of changes) {
    const before = change === "added" ? "" : text(await app.skillFile(name, path, { signal }));
    const after = change === "removed" ? "" : text(await proposals.content(id, path, { signal }));
    const texts = { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
    showLines(screen, fileChangeLines({ path, change, ...texts }));
  }
  for (const { severity, code, path, message } of findings)
    if (severity !== "info")
      screen.prose(`  ${screen.colours.yellow("!")} ${code} ${escaped(path ?? "")} ${escaped(message)}`, 4);
  const known = seen.get(app) ?? new Map<string, string>();
  seen.set(app, known.set(id, digest));
  screen.prose(
    `  /proposals apply ${shortId(id)} makes the change, /proposals refuse ${shortId(id)} discards it.`,
  );
}

function showLines(screen: Screen, [head = "", ...lines]: readonly string[]): void {
  const { bold, dim } = screen.colours;
  screen.line(`  ${bold(escaped(head))}`);
  for (const line of lines.slice(0, MOST_LINES))
    screen.line(`  ${line.startsWith("   ") ? dim(escaped(line)) : escaped(line)}`);
  if (lines.length > MOST_LINES) screen.line(`    and ${lines.length - MOST_LINES} more lines`);
}

async function apply(
  { screen, app, signal }: ProposalContext,
  proposals: SkillProposals,
  { id, action, name }: SkillProposal,
): Promise<void> {
  const digest = seen.get(app)?.get(id);
  if (digest === undefined)
    throw new SkillError(
      "REFUSED",
      `The change to "${name}" was not shown here yet. Look at it first: /proposals ${shortId(id)}`,
    );
  await proposals.apply(id, { digest, signal });
  const done = { create: "created", update: "changed", delete: "deleted", rollback: "rolled back" }[action];
  screen.prose(`  The skill "${escaped(name)}" was ${done}. The next message tells the model.`);
}

async function refuse(
  { screen, signal }: ProposalContext,
  proposals: SkillProposals,
  { id, name }: SkillProposal,
): Promise<void> {
  await proposals.reject(id, { signal });
  screen.prose(`  The change to "${escaped(name)}" was discarded.`);
}

async function chosen(
  proposals: SkillProposals,
  given: string,
  { signal }: CallOptions,
): Promise<SkillProposal> {
  const found =
    given === "" ? [] : (await proposals.list({ signal })).filter(({ id }) => id.startsWith(given));
  const [one, ...more] = found;
  if (one && more.length === 0) return one;
  const why = one ? "More than one change that waits has" : "No change that waits has";
  throw new SkillError(
    "INPUT_INVALID",
    `${why} an id that begins with ${JSON.stringify(given)}. /proposals lists the ids.`,
  );
}

function shortId(id: string): string {
  return id.slice(0, ID_LENGTH);
}

/** `undefined` for bytes that are no text. */
function text(bytes: Uint8Array): string | undefined {
  try {
    const read = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return read.includes("\0") ? undefined : read;
  } catch {
    return undefined;
  }
}

function noneHere(): SkillError {
  return new SkillError(
    "UNSUPPORTED",
    'Changes of skills do not wait here. To let the model propose them, set "agent": { "skillTools": { "manage": { "review": "later" } } } in ~/.skillwright/skillwright.config.json.',
  );
}
