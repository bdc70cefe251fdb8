import { ChevronRight, CircleCheck, CircleX, LoaderCircle, PauseCircle } from "lucide-react";
import { useState } from "react";
import { ApprovalCard } from "../approvals/approval-card.js";
import { ArtifactCards } from "../files/artifact-cards.js";
import { RunFacts } from "../runs/run-facts.js";
import { RunLog } from "../runs/run-log.js";
import { texts } from "../texts/index.js";
import { DiagnosticLine, Notice } from "../ui/notice.js";
import { durationInWords } from "../ui/words.js";
import { describeCall } from "./describe-call.js";
import type { CallBlock } from "./message-blocks.js";
import { PlainCall } from "./plain-call.js";

interface CallCardProps {
  readonly conversation: string;
  readonly call: CallBlock;
  readonly isLast: boolean;
  /** True while the turn of this step runs. A call that has no result when its turn has ended was stopped. */
  readonly isLive: boolean;
}

/** A step of the agent: what it did, with which skill, in which sandbox, and what came of it. */
export function CallCard({ conversation, call, isLast, isLive }: CallCardProps) {
  const { run, errorText, diagnostics, artifacts, approvals } = call;
  const outcome = outcomeOf(call, isLive);
  const facts = describeCall(call);
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? (run !== undefined && (isLast || outcome === "failed"));
  const { Icon, look } = OUTCOMES[outcome];
  return (
    <section aria-label={texts.calls.step(facts.title)} className="space-y-2">
      <div className="overflow-hidden rounded-xl border border-line bg-raised">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setChosen(!isOpen)}
          className="flex w-full items-start gap-2 px-3 py-2 text-left text-sm hover:bg-panel"
        >
          <Icon className={`mt-0.5 size-4 shrink-0 ${look}`} aria-label={texts.calls.outcomes[outcome]} />
          <span className="min-w-0 flex-1">
            <span className="font-medium">{facts.title}</span>{" "}
            {facts.command && (
              <code
                className={`font-mono text-xs text-soft ${isOpen ? "mt-0.5 line-clamp-6" : "line-clamp-1"}`}
              >
                {facts.command}
              </code>
            )}
          </span>
          {run?.state === "ended" && (
            <span className="flex shrink-0 items-center gap-2 text-xs leading-5 text-soft">
              <span className={run.exitCode === 0 ? "" : "font-medium text-bad"}>
                {run.timedOut ? texts.calls.timedOut : texts.calls.exit(run.exitCode)}
              </span>
              {run.durationMs !== undefined && <span>{durationInWords(run.durationMs)}</span>}
            </span>
          )}
          <ChevronRight
            className={`mt-0.5 size-4 shrink-0 text-soft transition-transform ${isOpen ? "rotate-90" : ""}`}
            aria-hidden="true"
          />
        </button>
        {run && <RunFacts run={run} skill={facts.skill} isOpen={isOpen} />}
        {isOpen && run && (
          <RunLog conversation={conversation} run={run} isLive={isLive} output={call.output} />
        )}
        {isOpen && !run && <PlainCall call={call} />}
        {errorText && (
          <div className="border-t border-line px-3 py-2">
            <Notice>{errorText}</Notice>
          </div>
        )}
        {diagnostics.length > 0 && (
          <ul aria-label={texts.calls.diagnostics} className="space-y-1 border-t border-line px-3 py-2">
            {diagnostics.map((one, index) => (
              <li key={index}>
                <DiagnosticLine of={one} />
              </li>
            ))}
          </ul>
        )}
      </div>
      {approvals.map((asked) => (
        <ApprovalCard key={asked.id} asked={asked} isOpen={isLast} />
      ))}
      <ArtifactCards conversation={conversation} artifacts={artifacts} />
    </section>
  );
}

const OUTCOMES = {
  running: { Icon: LoaderCircle, look: "animate-spin text-accent" },
  waiting: { Icon: PauseCircle, look: "text-warn" },
  done: { Icon: CircleCheck, look: "text-good" },
  failed: { Icon: CircleX, look: "text-bad" },
  stopped: { Icon: CircleX, look: "text-soft" },
};

function outcomeOf({ state, run, approvals }: CallBlock, isLive: boolean): keyof typeof OUTCOMES {
  if (state === "failed" || (run?.state === "ended" && run.exitCode !== 0)) return "failed";
  if (state === "done") return "done";
  if (isLive) return "running";
  return approvals.length > 0 ? "waiting" : "stopped";
}
