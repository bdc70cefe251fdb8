import { useMutation, useQueryClient } from "@tanstack/react-query";
import { transport } from "../chat/transport.js";
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
      aria-label={`Stop ${title}`}
      title={stop.error?.message}
      disabled={stop.isPending}
      onClick={() => stop.mutate()}
    >
      {stop.isPending ? "Stopping" : "Stop"}
    </Button>
  );
}
