import { type JsonObject, SkillError, type ToolContext } from "@skillwright/core";
import type { ApprovalDesk } from "../permission/ask-approval.js";
import { checkUnseen } from "./change-findings.js";
import type { SkillChange, SkillProposal, SkillProposals } from "./skill-proposal.js";

/**
 * What stands between a change and its being active, beside the linter: `ask` the approval, leave it in the proposals for
 * `later`, or `none`: then the linter's warnings about security end it as well.
 */
export type Review = "ask" | "later" | "none";

/**
 * The change proposed, judged, and made where that was allowed. What was allowed is the digest that was shown.
 * @returns For the model: digest, what changed, warnings; or that it waits.
 * @throws SkillError `REFUSED`, and as `SkillProposals.propose` and `apply`.
 */
export async function reviewedChange(
  change: SkillChange,
  { desk, proposals, review }: { desk: ApprovalDesk; proposals: SkillProposals; review: Review },
  context: ToolContext,
): Promise<JsonObject> {
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
      note: "It becomes active when a person has looked at it.",
    };
  try {
    if (changes.length === 0) throw new SkillError("INPUT_INVALID", "Nothing would change.");
    if (review === "none") checkUnseen(proposal.newFindings);
    else await asked(proposal, desk, context);
    await proposals.apply(id, { digest, signal });
  } catch (error) {
    proposals.reject(id);
    throw error;
  }
  return { ...(change.action === "delete" ? {} : { digest }), ...told };
}

async function asked(
  { action, name, repository, digest, changes, findings }: SkillProposal,
  desk: ApprovalDesk,
  context: ToolContext,
): Promise<void> {
  const subject = `${action} ${repository}/${name}`;
  const reason = `The model wants to ${action} the skill "${name}" in "${repository}".`;
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
  // A yes to a text holds for that text; one to a deletion for that once.
  await (action === "delete" ? desk.ask(request, context) : desk.askOnce(request, context));
}

function warnings({ findings }: SkillProposal): JsonObject {
  const shown = findings.filter(({ severity }) => severity !== "info").slice(0, 20);
  if (shown.length === 0) return {};
  return { warnings: shown.map(({ code, path, message }) => `${code}${path ? ` ${path}` : ""}: ${message}`) };
}
