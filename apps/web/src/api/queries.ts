import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { AnswerOf, ApprovalDetail, ChatMessage, Conversation, SkillDetail } from "./answers.js";
import { request, requestJson } from "./request.js";

const read = <T>(path: string) => ({
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => requestJson<T>(path, { signal }),
});

/** What the page reads of the server, by the key under which it is kept. */
export const serverQuery = queryOptions({ queryKey: ["server"], ...read<AnswerOf<"/v1/server">>("/server") });

/** How commands are isolated on the server, and which of its promises do not hold there. */
export const runtimeQuery = queryOptions({
  queryKey: ["runtime"],
  ...read<AnswerOf<"/v1/runtime">>("/runtime"),
  staleTime: 60_000,
});

export const agentsQuery = queryOptions({
  queryKey: ["agents"],
  ...read<AnswerOf<"/v1/agents">>("/agents"),
  staleTime: 60_000,
});

/** The newest 1,000 conversations, the most that the server returns at once. Other views take the titles from them. */
export const conversationsQuery = queryOptions({
  queryKey: ["conversations"],
  ...read<AnswerOf<"/v1/conversations">>("/conversations?limit=1000"),
  refetchInterval: 5000,
});

/** The conversations whose titles have these words, page by page. */
export const conversationPagesQuery = (words: string) =>
  infiniteQueryOptions({
    queryKey: ["conversations", "pages", words],
    queryFn: async ({ pageParam, signal }) => {
      const answer = await request(`/conversations${pageParam}`, { signal });
      const page = (await answer.json()) as AnswerOf<"/v1/conversations">;
      return { page, next: /^<([^>]*)>; rel="next"$/.exec(answer.headers.get("link") ?? "")?.[1] };
    },
    initialPageParam: words === "" ? "" : `?query=${encodeURIComponent(words)}`,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: 5000,
  });

/** Tells whether another tab, device or process has changed the conversation. */
export const conversationQuery = (id: string) =>
  queryOptions({
    queryKey: ["conversation", id],
    ...read<Conversation>(`/conversations/${id}`),
    refetchInterval: 2000,
  });

export const messagesQuery = (id: string) =>
  queryOptions({
    queryKey: ["messages", id],
    ...read<ChatMessage[]>(`/conversations/${id}/messages`),
    staleTime: 0,
    gcTime: 0,
  });

/** The turn that runs and the messages that wait for its end. */
export const queueQuery = (id: string) =>
  queryOptions({
    queryKey: ["queue", id],
    ...read<AnswerOf<"/v1/conversations/{conversation}/turns">>(`/conversations/${id}/turns`),
    refetchInterval: 2000,
  });

export const skillsQuery = queryOptions({
  queryKey: ["skills"],
  ...read<AnswerOf<"/v1/skills">>("/skills"),
  staleTime: 10_000,
});

export const skillQuery = (name: string) =>
  queryOptions({ queryKey: ["skill", name], ...read<SkillDetail>(`/skills/${encodeURIComponent(name)}`) });

export const skillFileQuery = (name: string, path: string) =>
  queryOptions({
    queryKey: ["skill", name, path],
    ...read<AnswerOf<"/v1/skills/{name}/text">>(
      `/skills/${encodeURIComponent(name)}/text?path=${encodeURIComponent(path)}`,
    ),
  });

export const artifactsQuery = (id: string) =>
  queryOptions({
    queryKey: ["artifacts", id],
    ...read<AnswerOf<"/v1/conversations/{conversation}/artifacts">>(`/conversations/${id}/artifacts`),
  });

export const artifactVersionsQuery = (id: string, name: string) =>
  queryOptions({
    queryKey: ["artifacts", id, name],
    ...read<AnswerOf<"/v1/conversations/{conversation}/artifacts/versions">>(
      `/conversations/${id}/artifacts/versions?name=${encodeURIComponent(name)}`,
    ),
  });

export const filesQuery = (id: string, under?: string) =>
  queryOptions({
    queryKey: ["files", id, under],
    ...read<AnswerOf<"/v1/conversations/{conversation}/files">>(
      `/conversations/${id}/files${under === undefined ? "" : `?under=${encodeURIComponent(under)}`}`,
    ),
  });

/** Open questions of all conversations; another tab may have answered them. */
export const approvalsQuery = queryOptions({
  queryKey: ["approvals"],
  ...read<AnswerOf<"/v1/approvals">>("/approvals"),
  refetchInterval: 3000,
});

export const approvalQuery = (conversation: string, id: string) =>
  queryOptions({
    queryKey: ["approval", conversation, id],
    ...read<ApprovalDetail>(`/conversations/${conversation}/approvals/${encodeURIComponent(id)}`),
    refetchInterval: ({ state }) => (state.data?.approval.answer ? false : 3000),
  });

export const workspacesQuery = queryOptions({
  queryKey: ["workspaces"],
  ...read<AnswerOf<"/v1/workspaces">>("/workspaces"),
  refetchInterval: 5000,
});

export const turnsQuery = queryOptions({
  queryKey: ["turns"],
  ...read<AnswerOf<"/v1/turns">>("/turns"),
  refetchInterval: 3000,
});

export const usageQuery = queryOptions({
  queryKey: ["usage"],
  ...read<AnswerOf<"/v1/usage">>("/usage"),
  refetchInterval: 10_000,
});

export const skillUsageQuery = queryOptions({
  queryKey: ["usage", "skills"],
  ...read<AnswerOf<"/v1/usage/skills">>("/usage/skills"),
  refetchInterval: 10_000,
});
