import { useQuery } from "@tanstack/react-query";
import { skillFileQuery } from "../api/queries.js";
import { ColouredLine } from "../previews/coloured-line.js";
import { useColouredLines } from "../previews/use-coloured-lines.js";
import { texts } from "../texts/index.js";
import { Markdown } from "../ui/markdown.js";
import { Notice } from "../ui/notice.js";
import { Skeleton } from "../ui/skeleton.js";

/** The beginning of a file of the skill, with numbers of lines, to which findings refer. */
export function SkillFile({ name, path }: { readonly name: string; readonly path: string }) {
  const { data, error } = useQuery(skillFileQuery(name, path));
  const coloured = useColouredLines(path, data?.text);
  if (error) return <Notice>{error.message}</Notice>;
  if (!data) return <Skeleton lines={8} />;
  if (data.text.includes("\u0000")) return <p className="text-sm text-soft">{texts.skills.noText}</p>;
  if (path.endsWith(".md")) return <Markdown text={data.text} />;
  return (
    <pre tabIndex={0} className="max-h-[70vh] overflow-auto font-mono text-xs">
      <code className="block w-max min-w-full">
        {data.text.split("\n").map((line, index) => (
          <span key={index} className="block">
            <span className="mr-4 inline-block w-10 text-right text-soft select-none">{index + 1}</span>
            {coloured?.[index] ? <ColouredLine parts={coloured[index]} /> : line}
          </span>
        ))}
        {data.truncated && <span className="block text-soft">{texts.skills.restNotShown}</span>}
      </code>
    </pre>
  );
}
