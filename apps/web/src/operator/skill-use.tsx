import { useQuery } from "@tanstack/react-query";
import { skillsQuery, skillUsageQuery } from "../api/queries.js";
import { addressOf } from "../app/route.js";
import { texts } from "../texts/index.js";
import { durationInWords, numberInWords } from "../ui/words.js";

/** How often each skill was used, with the skills that no turn used. */
export function SkillUse() {
  const { data } = useQuery(skillUsageQuery);
  const { data: catalogue } = useQuery(skillsQuery);
  const used = data ?? [];
  const unused = (catalogue?.skills ?? [])
    .filter(({ name }) => !used.some(({ skill }) => skill === name))
    .map(({ name }) => ({ skill: name, offered: 0, loaded: 0, run: 0, failed: 0, durationMs: 0, tokens: 0 }));
  return (
    <section aria-label={texts.operator.skillUse} className="space-y-2">
      <h2 className="font-semibold">{texts.operator.skillUse}</h2>
      {/* biome-ignore lint/a11y/useSemanticElements: a box that scrolls */}
      <div
        role="region"
        aria-label={texts.operator.skillTable}
        tabIndex={0}
        className="overflow-x-auto rounded-xl border border-line bg-raised"
      >
        <table className="w-full text-sm whitespace-nowrap">
          <thead className="text-left text-xs text-soft">
            <tr>
              {COLUMNS.map((column) => (
                <th key={column} scope="col" className="px-4 py-2 font-medium">
                  {texts.operator.columns[column]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...used, ...unused].map(({ skill, offered, loaded, run, failed, durationMs, tokens }) => (
              <tr key={skill} className="border-t border-line tabular-nums">
                <td className="px-4 py-1.5">
                  <a
                    href={addressOf({ view: "skills", name: skill })}
                    className="line-clamp-3 min-w-32 break-words whitespace-normal hover:text-accent"
                  >
                    {skill}
                  </a>
                </td>
                <td className="px-4 py-1.5">{numberInWords(offered)}</td>
                <td className="px-4 py-1.5">{numberInWords(loaded)}</td>
                <td className="px-4 py-1.5">{numberInWords(run)}</td>
                <td className={`px-4 py-1.5 ${failed > 0 ? "font-medium text-bad" : ""}`}>
                  {numberInWords(failed)}
                </td>
                <td className="px-4 py-1.5">{durationMs > 0 ? durationInWords(durationMs) : "–"}</td>
                <td className="px-4 py-1.5">{numberInWords(tokens)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const COLUMNS = ["skill", "offered", "loaded", "run", "failed", "time", "tokens"] as const;
