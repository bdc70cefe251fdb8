import { useMutation, useQuery } from "@tanstack/react-query";
import { FolderDown } from "lucide-react";
import { artifactsQuery } from "../api/queries.js";
import { texts } from "../texts/index.js";
import { Button } from "../ui/button.js";
import { numberInWords } from "../ui/words.js";
import { download } from "./download.js";

/** Downloads all artifacts of the conversation in one archive. */
export function DownloadAll({ conversation }: { readonly conversation: string }) {
  const { data } = useQuery(artifactsQuery(conversation));
  const all = useMutation({
    mutationFn: () => download(`/conversations/${conversation}/artifacts/zip`, `${conversation}.zip`),
  });
  if (!data?.length) return null;
  return (
    <Button
      look="quiet"
      disabled={all.isPending}
      title={all.error?.message ?? texts.files.downloadAllHint}
      onClick={() => all.mutate()}
    >
      <FolderDown className="size-4" aria-hidden="true" />
      <span className="hidden sm:inline">{texts.files.downloadAll}</span>
      <span className="text-xs">{numberInWords(data.length)}</span>
    </Button>
  );
}
