import { useMutation, useQueryClient } from "@tanstack/react-query";
import { MessageSquare, Pause, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Workspace } from "../api/answers.js";
import { requestJson } from "../api/request.js";
import { addressOf } from "../app/route.js";
import { texts } from "../texts/index.js";
import { Button, IconButton } from "../ui/button.js";
import { Notice } from "../ui/notice.js";

export function WorkspaceActions({ of: { id, state, conversation } }: { readonly of: Workspace }) {
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const onSettled = () => queries.invalidateQueries({ queryKey: ["workspaces"] });
  const pause = useMutation({
    mutationFn: () => requestJson(`/workspaces/${id}/pause`, { method: "POST" }),
    onSettled,
  });
  const destroy = useMutation({
    mutationFn: () => requestJson(`/workspaces/${id}`, { method: "DELETE" }),
    onSettled,
  });
  const error = pause.error ?? destroy.error;
  if (isAsking)
    return (
      <div className="flex w-full flex-wrap items-center justify-end gap-2 text-sm">
        <span>{texts.workspace.askDestroy}</span>
        <Button look="quiet" onClick={() => setAsking(false)}>
          {texts.workspace.keep}
        </Button>
        <Button look="bad" disabled={destroy.isPending} onClick={() => destroy.mutate()}>
          {texts.workspace.confirmDestroy}
        </Button>
        {error && <Notice>{error.message}</Notice>}
      </div>
    );
  return (
    <>
      <a
        href={addressOf({ view: "conversation", id: conversation })}
        aria-label={texts.workspace.openConversation}
        title={texts.workspace.openConversation}
        className="inline-flex size-9 items-center justify-center rounded-lg text-soft hover:bg-panel"
      >
        <MessageSquare className="size-4" aria-hidden="true" />
      </a>
      <IconButton
        label={texts.workspace.pause}
        disabled={state !== "ready" || pause.isPending}
        onClick={() => pause.mutate()}
      >
        <Pause className="size-4" aria-hidden="true" />
      </IconButton>
      <IconButton label={texts.workspace.destroy} onClick={() => setAsking(true)}>
        <Trash2 className="size-4" aria-hidden="true" />
      </IconButton>
      {error && (
        <div className="w-full">
          <Notice>{error.message}</Notice>
        </div>
      )}
    </>
  );
}
