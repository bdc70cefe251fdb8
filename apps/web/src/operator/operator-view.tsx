import { useQuery } from "@tanstack/react-query";
import {
  approvalsQuery,
  conversationsQuery,
  turnsQuery,
  usageQuery,
  workspacesQuery,
} from "../api/queries.js";
import { addressOf } from "../app/route.js";
import { ApprovalCard } from "../approvals/approval-card.js";
import { texts } from "../texts/index.js";
import { Notice } from "../ui/notice.js";
import { ViewHeader } from "../ui/view-header.js";
import { agoInWords, numberInWords, tokensInAndOut } from "../ui/words.js";
import { ServerState } from "./server-state.js";
import { SkillUse } from "./skill-use.js";
import { StopTurn } from "./stop-turn.js";

/** What runs, what waits for a person, and what was used, over all conversations of the user. */
export function OperatorView({ onList }: { readonly onList: () => void }) {
  const turns = useQuery(turnsQuery);
  const approvals = useQuery(approvalsQuery);
  const workspaces = useQuery(workspacesQuery);
  const usage = useQuery(usageQuery);
  const { data: conversations } = useQuery(conversationsQuery);
  const titleOf = (id: string) => conversations?.find((one) => one.id === id)?.title || id;
  const total = usage.data?.total;
  const figures = [
    { name: texts.operator.openTurns, value: turns.data?.length },
    { name: texts.operator.openApprovals, value: approvals.data?.length },
    { name: texts.workspace.title, value: workspaces.data?.length },
    { name: texts.operator.turns, value: total?.turns },
    { name: texts.operator.modelCalls, value: total?.steps },
    { name: texts.operator.tokens, value: total && total.inputTokens + total.outputTokens },
  ];
  const error = turns.error ?? approvals.error ?? workspaces.error ?? usage.error;
  return (
    <>
      <ViewHeader title={texts.operator.title} onList={onList} />
      <main className="min-h-0 flex-1 overflow-y-auto" tabIndex={-1}>
        <div className="mx-auto max-w-4xl space-y-6 p-4 md:p-6">
          {error && <Notice>{error.message}</Notice>}
          <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-6">
            {figures.map(({ name, value }) => (
              <div key={name} className="rounded-xl border border-line bg-raised p-3">
                <dt className="text-xs text-soft">{name}</dt>
                <dd className="text-xl font-semibold tabular-nums">
                  {value === undefined ? "–" : numberInWords(value)}
                </dd>
              </div>
            ))}
          </dl>
          <section aria-label={texts.operator.openTurns} className="space-y-2">
            <h2 className="font-semibold">{texts.operator.openTurns}</h2>
            {turns.data?.length === 0 && <p className="text-sm text-soft">{texts.operator.noTurns}</p>}
            <ul className="space-y-2">
              {turns.data?.map(({ id, conversation, startedAt }) => (
                <li
                  key={id}
                  className="flex items-center gap-3 rounded-xl border border-line bg-raised px-4 py-2"
                >
                  <a
                    href={addressOf({ view: "conversation", id: conversation })}
                    className="min-w-0 flex-1 truncate hover:text-accent"
                    dir="auto"
                  >
                    {titleOf(conversation)}
                  </a>
                  <span className="text-xs text-soft">{texts.operator.started(agoInWords(startedAt))}</span>
                  <StopTurn conversation={conversation} title={titleOf(conversation)} />
                </li>
              ))}
            </ul>
          </section>
          <section aria-label={texts.operator.openApprovals} className="space-y-2">
            <h2 className="font-semibold">{texts.operator.openApprovals}</h2>
            {approvals.data?.length === 0 && (
              <p className="text-sm text-soft">{texts.operator.noApprovals}</p>
            )}
            {approvals.data?.map((asked) => (
              <div key={asked.id} className="space-y-1">
                <a
                  href={addressOf({ view: "conversation", id: asked.conversation })}
                  className="text-sm text-accent hover:underline"
                >
                  {titleOf(asked.conversation)}
                </a>
                <ApprovalCard asked={asked} isOpen />
              </div>
            ))}
          </section>
          <ServerState />
          <SkillUse />
          <p className="text-xs text-soft">{total && texts.operator.tokensUsed(tokensInAndOut(total))}</p>
        </div>
      </main>
    </>
  );
}
