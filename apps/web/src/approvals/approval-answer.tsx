import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { ApprovalDetail, ApprovalInfo } from "../api/answers.js";
import { pathOf, requestJson } from "../api/request.js";
import { texts } from "../texts/index.js";
import { Button } from "../ui/button.js";
import { Notice } from "../ui/notice.js";

type Answer = NonNullable<ApprovalInfo["answer"]>;
type Decided = Pick<ApprovalDetail, "approval">;

/** The buttons under a question. Of two answers at the same time the server takes one, and tells the other so. */
export function ApprovalAnswer({ asked }: { readonly asked: ApprovalInfo }) {
  const queries = useQueryClient();
  const [isRefusing, setRefusing] = useState(false);
  const [reason, setReason] = useState("");
  const { conversation, id, decide, digest, choices } = asked;
  const sending = useMutation({
    mutationFn: (answer: Answer) => requestJson<Decided>(pathOf(decide), { json: { answer, digest } }),
    onSuccess: ({ approval }) =>
      queries.setQueryData<ApprovalDetail>(
        ["approval", conversation, id],
        (before) => before && { ...before, approval },
      ),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: ["approvals"] });
      await queries.invalidateQueries({ queryKey: ["conversation", conversation] });
    },
  });
  const refuse = (event: FormEvent) => {
    event.preventDefault();
    sending.mutate({ refuse: reason.trim() });
  };
  return (
    <div className="space-y-2 border-t border-line bg-panel px-4 py-3">
      {sending.error && <Notice>{sending.error.message}</Notice>}
      {isRefusing ? (
        <form onSubmit={refuse} className="flex flex-wrap gap-2">
          <input
            // biome-ignore lint/a11y/noAutofocus: the person has just asked for it
            autoFocus
            aria-label={texts.approvals.reason}
            placeholder={texts.approvals.reasonHint}
            maxLength={1000}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
            onKeyDown={({ key }) => key === "Escape" && setRefusing(false)}
            className="min-w-40 flex-1 rounded-lg border border-line bg-page px-3 py-1.5 text-sm"
          />
          <Button type="submit" look="bad" disabled={sending.isPending}>
            {texts.approvals.refuse}
          </Button>
          <Button look="quiet" onClick={() => setRefusing(false)}>
            {texts.approvals.back}
          </Button>
        </form>
      ) : (
        <div className="flex flex-wrap gap-2">
          {choices.map((allow) => (
            <Button
              key={allow}
              look={allow === "once" ? "main" : "plain"}
              title={texts.approvals.choices[allow].meaning}
              disabled={sending.isPending}
              onClick={() => sending.mutate({ allow })}
            >
              {texts.approvals.choices[allow].name}
            </Button>
          ))}
          <Button look="bad" disabled={sending.isPending} onClick={() => setRefusing(true)}>
            {texts.approvals.askRefusal}
          </Button>
        </div>
      )}
    </div>
  );
}
