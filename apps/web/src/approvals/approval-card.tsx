import { useQuery } from "@tanstack/react-query";
import { ShieldQuestion } from "lucide-react";
import type { ApprovalInfo } from "../api/answers.js";
import { approvalQuery } from "../api/queries.js";
import { ApiError } from "../api/request.js";
import { texts } from "../texts/index.js";
import { Badge, Digest } from "../ui/badge.js";
import { DiagnosticLine, Notice } from "../ui/notice.js";
import { printable } from "../ui/printable.js";
import { numberInWords } from "../ui/words.js";
import { ApprovalAnswer } from "./approval-answer.js";
import { ChangedFiles, WrittenFiles } from "./changed-files.js";

interface ApprovalCardProps {
  readonly asked: ApprovalInfo;
  /** The conversation waits for it. An earlier question was answered or withdrawn. */
  readonly isOpen: boolean;
}

/** A question to a person: what is to run, of which skill, what changed in it since, and what the linter says. */
export function ApprovalCard({ asked, isOpen }: ApprovalCardProps) {
  const { data, error } = useQuery({
    ...approvalQuery(asked.conversation, asked.id),
    enabled: isOpen && !asked.answer,
  });
  const now = data?.approval.answer ? data.approval : asked;
  const isGone = !isOpen || (error instanceof ApiError && error.status === 404);
  return (
    <section
      aria-label={texts.approvals.label(asked.skill ?? asked.action)}
      className={`overflow-hidden rounded-xl border bg-raised ${now.answer || isGone ? "border-line" : "border-warn"}`}
    >
      <div className="space-y-3 p-4">
        <div className="flex items-start gap-2">
          <ShieldQuestion className="mt-0.5 size-5 shrink-0 text-warn" aria-hidden="true" />
          <div className="min-w-0 space-y-1">
            <h3 className="font-medium">{QUESTIONS[asked.action] ?? texts.approvals.questions.other}</h3>
            <p className="text-sm text-soft">{printable(asked.reason)}</p>
          </div>
        </div>
        <div className="flex flex-wrap items-center gap-1.5">
          {asked.skill && <Badge look="accent">{printable(asked.skill)}</Badge>}
          {asked.source && <Badge title={texts.skills.sourceOfSkill}>{printable(asked.source)}</Badge>}
          {asked.digest && <Digest of={asked.digest} />}
          {asked.approvedDigest && (
            <span className="text-xs text-soft">
              {texts.approvals.approvedBefore} <Digest of={asked.approvedDigest} />
            </span>
          )}
        </div>
        <pre
          tabIndex={0}
          className="max-h-60 overflow-auto rounded-lg bg-term p-3 font-mono text-xs whitespace-pre-wrap text-term-ink"
        >
          <bdi>{printable(asked.subject)}</bdi>
        </pre>
        {asked.action === "write" && <WrittenFiles files={data?.files ?? asked.changes ?? []} />}
        {asked.action !== "write" && asked.approvedDigest !== undefined && (
          <ChangedFiles files={data?.files ?? asked.changes ?? []} />
        )}
        {data && data.findings.length > 0 && (
          <details open={data.findings.some(({ severity }) => severity === "error")}>
            <summary className="text-sm font-medium">
              {texts.approvals.findings(numberInWords(data.findings.length))}
            </summary>
            <ul className="max-h-52 space-y-1 overflow-auto pt-2" tabIndex={-1}>
              {data.findings.map((finding, index) => (
                <li key={index}>
                  <DiagnosticLine of={finding} />
                </li>
              ))}
            </ul>
          </details>
        )}
        {data && !data.isCurrent && !now.answer && (
          <Notice severity="warning">{texts.approvals.outdated}</Notice>
        )}
      </div>
      {now.answer ? (
        <Answered answer={now.answer} />
      ) : isGone ? (
        <p className="border-t border-line px-4 py-2 text-sm text-soft">{texts.approvals.closed}</p>
      ) : (
        <ApprovalAnswer asked={now} />
      )}
    </section>
  );
}

function Answered({ answer }: { readonly answer: NonNullable<ApprovalInfo["answer"]> }) {
  const { allowed, refused, refusedBecause } = texts.approvals;
  const text =
    "allow" in answer
      ? allowed[answer.allow]
      : answer.refuse === ""
        ? refused
        : refusedBecause(answer.refuse);
  return (
    <p
      role="status"
      className={`border-t border-line px-4 py-2 text-sm font-medium ${"allow" in answer ? "text-good" : "text-bad"}`}
    >
      {text}
    </p>
  );
}

const QUESTIONS: Readonly<Record<string, string>> = texts.approvals.questions;
