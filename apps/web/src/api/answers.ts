import type { ServerPaths, TurnDataParts } from "@skillwright/server/client";
import type { UIMessage } from "ai";

export type ChatMessage = UIMessage<unknown, TurnDataParts>;

/** What the server answers to a GET of this path. */
export type AnswerOf<Path extends keyof ServerPaths> = ServerPaths[Path] extends {
  get: { responses: { 200: { content: { "application/json": infer Answer } } } };
}
  ? Answer
  : never;

export type Conversation = AnswerOf<"/v1/conversations/{conversation}">;
export type SkillList = AnswerOf<"/v1/skills">;
export type SkillDetail = AnswerOf<"/v1/skills/{name}">;
export type Diagnostic = SkillList["diagnostics"][number];

export type FileInfo = AnswerOf<"/v1/conversations/{conversation}/files">[number];
export type Workspace = AnswerOf<"/v1/workspaces">[number];
export type ApprovalInfo = Omit<TurnDataParts["approval"], "action"> & { readonly action: string };
export type ApprovalDetail = AnswerOf<"/v1/conversations/{conversation}/approvals/{approval}">;
