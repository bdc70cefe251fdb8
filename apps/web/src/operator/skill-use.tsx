import { useQuery } from "@tanstack/react-query";
import { skillsQuery, skillUsageQuery } from "../api/queries.js";
import { addressOf } from "../app/route.js";
import { durationInWords } from "../ui/words.js";

/** How often each skill was used, with the skills that no turn used. */
export function SkillUse() {
  const { data } = useQuery(skillUsageQuery);
  const { data: catalogue } = useQuery(skillsQuery);
  const used = data ?? [];
  const unused = (catalogue?.skills ?? [])
    .filter(({ name }) => !used.some(({ skill }) => skill === name))
    .map(({ name }) => ({ skill: name, offered: 0, loaded: 0, run: 0, failed: 0, durationMs: 0, tokens: 0 }));
  return (
    <section aria-label="Use of skills" className="space-y-2">
      <h2 className="font-semibold">Use of skills</h2>
      {/* biome-ignore lint/a11y/useSemanticElements: a box that scrolls */}
      <div
        role="region"
        aria-label="Table of skills"
        tabIndex={0}
        className="overflow-x-auto rounded-xl border border-line bg-raised"
      >
        <table className="w-full text-sm whitespace-nowrap">
          <thead className="text-left text-xs text-soft">
            <tr>
              {["Skill", "Offered", "Loaded", "Run", "Failed", "Time", "Tokens"].map((head) => (
                <th key={head} scope="col" className="px-4 py-2 font-medium">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...used, ...unused].map(({ skill, offered, loaded, run, failed, durationMs, tokens }) => (
              <tr key={skill} className="border-t border-line tabular-nums">
                <td className="px-4 py-1.5">
                  <a href={addressOf({ view: "skills", name: skill })} className="hover:text-accent">
                    {skill}
                  </a>
                </td>
                <td className="px-4 py-1.5">{offered}</td>
                <td className="px-4 py-1.5">{loaded}</td>
                <td className="px-4 py-1.5">{run}</td>
                <td className={`px-4 py-1.5 ${failed > 0 ? "font-medium text-bad" : ""}`}>{failed}</td>
                <td className="px-4 py-1.5">{durationMs > 0 ? durationInWords(durationMs) : "–"}</td>
                <td className="px-4 py-1.5">{tokens.toLocaleString("en")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
