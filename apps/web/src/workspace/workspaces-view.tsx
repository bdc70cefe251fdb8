import { useQuery } from "@tanstack/react-query";
import { agentsQuery, conversationsQuery, workspacesQuery } from "../api/queries.js";
import { addressOf } from "../app/route.js";
import { texts } from "../texts/index.js";
import { Badge } from "../ui/badge.js";
import { Notice } from "../ui/notice.js";
import { Skeleton } from "../ui/skeleton.js";
import { ViewHeader } from "../ui/view-header.js";
import { agoInWords, count } from "../ui/words.js";
import { WorkspaceActions } from "./workspace-actions.js";
import { WorkspaceFiles } from "./workspace-files.js";

interface WorkspacesViewProps {
  /** Its workspace is shown with its files. */
  readonly conversation: string | undefined;
  readonly onList: () => void;
}

/** Where commands run: one workspace for each conversation that needed one. */
export function WorkspacesView({ conversation, onList }: WorkspacesViewProps) {
  const { data, error } = useQuery(workspacesQuery);
  const { data: conversations } = useQuery(conversationsQuery);
  const { data: agents } = useQuery(agentsQuery);
  const policies = agents?.flatMap((agent) => agent.policies) ?? [];
  const titleOf = (id: string) => conversations?.find((one) => one.id === id)?.title || id;
  return (
    <>
      <ViewHeader
        title={texts.workspace.title}
        detail={data && count(data.length, texts.workspace.count)}
        onList={onList}
      />
      <main className="min-h-0 flex-1 overflow-y-auto" tabIndex={-1}>
        <div className="mx-auto max-w-4xl space-y-4 p-4 md:p-6">
          {error && <Notice>{error.message}</Notice>}
          {agents && (
            <p className="text-sm text-soft">
              {policies.length === 0
                ? texts.workspace.noPolicies
                : texts.workspace.policies(policies.map(inWords).join("; "))}
            </p>
          )}
          {!data && !error && <Skeleton lines={4} />}
          {data?.length === 0 && (
            <p className="rounded-xl border border-dashed border-line p-8 text-center text-soft">
              {texts.workspace.none}
            </p>
          )}
          <ul aria-label={texts.workspace.title} className="space-y-3">
            {data?.map((one) => {
              const isOpen = one.conversation === conversation;
              return (
                <li key={one.id} className="rounded-xl border border-line bg-raised">
                  <div className="flex flex-wrap items-center gap-2 p-4">
                    <div className="min-w-0 flex-1 basis-60">
                      <a
                        href={addressOf({
                          view: "workspaces",
                          conversation: isOpen ? undefined : one.conversation,
                        })}
                        aria-expanded={isOpen}
                        className="block truncate font-medium hover:text-accent"
                        dir="auto"
                      >
                        {titleOf(one.conversation)}
                      </a>
                      <p className="truncate text-xs text-soft">
                        <span className="font-mono">{one.id}</span>
                        {` · ${texts.workspace.created(agoInWords(one.createdAt))}`}
                        {` · ${texts.workspace.used(agoInWords(one.lastUsedAt))}`}
                      </p>
                    </div>
                    <Badge look={one.state === "ready" ? "good" : "warn"}>
                      {texts.workspace.states[one.state]}
                    </Badge>
                    <WorkspaceActions of={one} />
                  </div>
                  {isOpen && <WorkspaceFiles conversation={one.conversation} />}
                </li>
              );
            })}
          </ul>
        </div>
      </main>
    </>
  );
}

function inWords({
  when,
  do: action,
}: {
  readonly when: Record<string, string | number>;
  readonly do: string;
}): string {
  const conditions = Object.entries(when).map(
    ([name, value]) => `${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${value}`,
  );
  return texts.workspace.policy(action, conditions);
}
