import { counted } from "../plural-forms.js";

export const approvals = {
  label: (subject: string) => `Approval: ${subject}`,
  questions: {
    run: "Shall this command run?",
    write: "Shall this file be written?",
    install: "Shall these packages be installed?",
    other: "Shall this be done?",
  },
  approvedBefore: "approved before:",
  findings: (number: string) => `Findings of the linter (${number})`,
  outdated: "The skill has changed since this question. An answer to it no longer counts.",
  closed: "This question is closed: it was answered, or a new message took its place.",
  allowed: {
    once: "Allowed once.",
    digest: "Allowed for this content.",
    source: "Allowed for this source.",
  },
  refused: "Refused.",
  refusedBecause: (reason: string) => `Refused: ${reason}`,
  choices: {
    once: { name: "Allow once", meaning: "This call only." },
    digest: { name: "Always allow this content", meaning: "Until a file of the skill changes." },
    source: { name: "Always allow this source", meaning: "Everything that comes from this source." },
  },
  reason: "Reason, which the model reads",
  reasonHint: "Reason, which the model reads (may be empty)",
  askRefusal: "Refuse…",
  refuse: "Refuse",
  back: "Back",
  unchangedFiles: "Its files are those that you approved.",
  changedSince: counted({
    one: "# file changed since you approved it",
    other: "# files changed since you approved it",
  }),
  withoutApproved: "the text that you approved is kept no more",
  toBeWritten: counted({
    one: "# file to be written or removed",
    other: "# files to be written or removed",
  }),
  withoutOld: "the old text is too long to be shown",
  noText: "no text to compare",
  changes: { added: "added", changed: "changed", removed: "removed" },
};
