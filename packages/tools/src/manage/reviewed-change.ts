import {
  type JsonObject,
  readBytes,
  SKILL_LIMITS,
  type SkillCatalog,
  SkillError,
  type ToolContext,
} from "@skillwright/core";
import type { ApprovalDesk } from "../permission/ask-approval.js";
import { shownChanges } from "../permission/shown-changes.js";
import { checkUnseen } from "./change-findings.js";
import type { SkillChange, SkillProposal, SkillProposals } from "./skill-proposal.js";

/**
 * How a change is reviewed after linting: `ask` the approval, keep it in the proposals for `later`, or `none`; with
 * `none`, the linter's security warnings also refuse it.
 */
export type Review = "ask" | "later" | "none";

interface ReviewParts {
  readonly skills: SkillCatalog;
  readonly desk: ApprovalDesk;
  readonly proposals: SkillProposals;
  readonly review: Review;
}

/**
 * Proposes, lints and reviews the change, and applies it where that was allowed. The approval applies to the digest
 * that was shown, and shows the texts of the files.
 * @returns For the model: digest, changes, warnings; or that the change is waiting.
 * @throws SkillError `REFUSED`, and as `SkillProposals.propose` and `apply`.
 */
export async function reviewedChange(
  change: SkillChange,
  parts: ReviewParts,
  context: ToolContext,
): Promise<JsonObject> {
  const { proposals, review } = parts;
  const { signal } = context;
  const proposal = await proposals.propose(change, { signal });
  const { id, digest, changes } = proposal;
  const told = { changes: changes.map((one) => ({ ...one })), ...warnings(proposal) };
  if (review === "later")
    return {
      waits: true,
      proposal: id,
      digest,
      ...told,
      note: "It becomes active once a person has approved it.",
    };
  try {
    if (changes.length === 0) throw new SkillError("INPUT_INVALID", "Nothing would change.");
    if (review === "none") checkUnseen(proposal.newFindings);
    else await asked(change, proposal, parts, context);
    await proposals.apply(id, { digest, signal });
  } catch (error) {
    await proposals.reject(id);
    throw error;
  }
  return { ...(change.action === "delete" ? {} : { digest }), ...told };
}

async function asked(
  change: SkillChange,
  proposal: SkillProposal,
  parts: ReviewParts,
  context: ToolContext,
): Promise<void> {
  const { id, action, name, repository, digest, findings } = proposal;
  const { skills, desk, proposals } = parts;
  const { signal } = context;
  const changes = await shownChanges(proposal.changes, {
    before: async (path) => await stored(path),
    // For a rollback, the proposal would read the whole earlier version for each file.
    after: async (path) =>
      "version" in change
        ? await stored(path, change.version)
        : await proposals.content(id, path, { signal }),
  });

  async function stored(path: string, version?: string): Promise<Uint8Array> {
    const options = version === undefined ? { signal } : { signal, version };
    return await readBytes(await skills.open(name, path, options), SKILL_LIMITS.bytes);
  }
  const subject = `${action} ${repository}/${name}`;
  const verb = action === "rollback" ? "roll back" : action;
  const reason = `The model wants to ${verb} the skill "${name}" in "${repository}".`;
  const request = {
    action: "write",
    skill: name,
    source: repository,
    subject,
    digest,
    reason,
    changes,
    findings,
  } as const;
  // An approval of a text applies to that text; an approval to discard the current text applies once.
  await (action === "delete" || action === "rollback"
    ? desk.ask(request, context)
    : desk.askOnce(request, context));
}

function warnings({ findings }: SkillProposal): JsonObject {
  const shown = findings.filter(({ severity }) => severity !== "info").slice(0, 20);
  if (shown.length === 0) return {};
  return { warnings: shown.map(({ code, path, message }) => `${code}${path ? ` ${path}` : ""}: ${message}`) };
}
