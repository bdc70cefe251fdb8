import { useQueryClient } from "@tanstack/react-query";
import { WifiOff } from "lucide-react";
import { texts } from "../texts/index.js";
import { Button } from "../ui/button.js";

export function ConnectionBanner() {
  const queries = useQueryClient();
  return (
    <div
      role="status"
      className="flex items-center gap-3 border-b border-line bg-panel px-4 py-1.5 text-sm text-warn"
    >
      <WifiOff className="size-4 shrink-0" aria-hidden="true" />
      <span className="min-w-0 flex-1">{texts.app.connectionLost}</span>
      <Button look="quiet" onClick={() => void queries.refetchQueries({ type: "active" })}>
        {texts.app.tryNow}
      </Button>
    </div>
  );
}
