import { useQuery } from "@tanstack/react-query";
import { lazy } from "react";
import { request } from "../api/request.js";
import { texts } from "../texts/index.js";
import { Notice } from "../ui/notice.js";

const TextDiff = lazy(() => import("./text-diff.js"));
const MOST_CHARACTERS = 2_000_000;

/** Two versions of a text, line by line. */
export function ComparedVersions({ before, after }: { readonly before: string; readonly after: string }) {
  const { data, error } = useQuery({
    queryKey: ["compared", before, after],
    queryFn: async ({ signal }) =>
      await Promise.all([before, after].map(async (path) => await (await request(path, { signal })).text())),
    gcTime: 0,
  });
  if (error) return <Notice>{error.message}</Notice>;
  if (!data) return <p className="p-6 text-soft">{texts.previews.comparing}</p>;
  const [one = "", two = ""] = data;
  if (one.includes("\u0000") || two.includes("\u0000"))
    return <p className="p-6 text-soft">{texts.previews.onlyTexts}</p>;
  if (one.length + two.length > MOST_CHARACTERS)
    return <p className="p-6 text-soft">{texts.previews.tooLargeToCompare}</p>;
  return (
    <div className="h-full overflow-auto p-4">
      <TextDiff before={one} after={two} />
    </div>
  );
}
