import { useMutation, useQueryClient } from "@tanstack/react-query";
import { transport } from "../chat/transport.js";
import { texts } from "../texts/index.js";
import { Button } from "../ui/button.js";

export function StopTurn({ conversation, title }: { readonly conversation: string; readonly title: string }) {
  const queries = useQueryClient();
  const stop = useMutation({
    mutationFn: () => transport.stop(conversation),
    onSettled: () => queries.invalidateQueries({ queryKey: ["turns"] }),
  });
  return (
    <Button
      look="bad"
      aria-label={texts.operator.stop(title)}
      title={stop.error?.message}
      disabled={stop.isPending}
      onClick={() => stop.mutate()}
    >
      {stop.isPending ? texts.composer.stopping : texts.composer.stop}
    </Button>
  );
}
