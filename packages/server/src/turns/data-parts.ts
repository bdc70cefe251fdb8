import type { ApprovalRequest, ArtifactVersion, Diagnostic, RunLimits } from "@skillwright/core";
import type { ApprovalQuestion } from "@skillwright/tools";

/** A finished call of the model. */
export interface StepData {
  readonly step: number;
  readonly durationMs: number;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

/** A command that a tool call runs. Its part is replaced when it starts and when it ends. */
export interface RunData {
  readonly callId: string;
  readonly state: "preparing" | "running" | "ended";
  readonly command?: string | undefined;
  /** The skill whose directory the command runs in, and the digest of what was staged. */
  readonly skill?: string | undefined;
  readonly digest?: string | undefined;
  /** The isolation that was in force, such as `namespace (bubblewrap 0.8.0)`; from the end on. */
  readonly isolation?: string | undefined;
  /** The limits that held, as in the run's result; from the end on. */
  readonly limits?: RunLimits | undefined;
  /** The most memory that its processes used at one time, where the runtime measures it; from the end on. */
  readonly peakMemoryBytes?: number | undefined;
  readonly exitCode?: number | undefined;
  readonly timedOut?: boolean | undefined;
  readonly durationMs?: number | undefined;
  /** Path of the stream with the run's events and live output. */
  readonly output: string;
}

/** A saved output. */
export interface ArtifactData
  extends Pick<ArtifactVersion, "name" | "version" | "size" | "mimeType" | "sha256" | "createdAt"> {
  /** Path from which the version is downloaded. */
  readonly content: string;
}

/** A question to a person, for which the turn waits. */
export interface ApprovalData
  extends Pick<
      ApprovalQuestion,
      "id" | "choices" | "createdAt" | "approvedDigest" | "staleDigest" | "answer"
    >,
    Pick<ApprovalRequest, "action" | "skill" | "source" | "digest" | "subject" | "reason" | "changes"> {
  readonly conversation: string;
  readonly callId?: string | undefined;
  /** Path to which the decision is sent. */
  readonly decide: string;
}

/** The question as clients see it, without the names of application and user, and without the texts of files, which `getApproval` returns. */
export function approvalData(
  { id, choices, createdAt, approvedDigest, staleDigest, answer, request }: ApprovalQuestion,
  decide: string,
): ApprovalData {
  const { session, callId, action, skill, source, digest, subject, reason } = request;
  const changes = request.changes?.map(({ path, change }) => ({ path, change }));
  return {
    ...{ id, conversation: session.session, callId, action, skill, source, digest, subject, reason, changes },
    ...{ choices, createdAt, approvedDigest, staleDigest, answer, decide },
  } as ApprovalData;
}

/**
 * Data parts of a message by name, for `UIMessage<unknown, TurnDataParts>` of the AI SDK. Each is persistent: it is in
 * the stream and in the history.
 */
export type TurnDataParts = {
  readonly step: StepData;
  readonly run: RunData;
  readonly artifact: ArtifactData;
  readonly approval: ApprovalData;
  readonly diagnostic: Diagnostic;
};
