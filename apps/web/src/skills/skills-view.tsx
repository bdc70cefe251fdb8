import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Diagnostic } from "../api/answers.js";
import { skillsQuery } from "../api/queries.js";
import { texts } from "../texts/index.js";
import { DiagnosticLine, Notice } from "../ui/notice.js";
import { SearchField } from "../ui/search-field.js";
import { Skeleton } from "../ui/skeleton.js";
import { ViewHeader } from "../ui/view-header.js";
import { count, numberInWords } from "../ui/words.js";
import { SkillCard } from "./skill-card.js";

/** The catalogue: what can be used, what cannot and why. */
export function SkillsView({ onList }: { readonly onList: () => void }) {
  const { data, error } = useQuery(skillsQuery);
  const [wanted, setWanted] = useState("");
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const shown = data?.skills.filter((one) => fits(`${one.name} ${one.description} ${one.source}`)) ?? [];
  const leftOut = data?.diagnostics.filter(({ message }) => fits(message)) ?? [];
  const broken = data?.broken.filter(({ path, source }) => fits(`${path} ${source}`)) ?? [];
  return (
    <>
      <ViewHeader
        title={texts.skills.title}
        detail={
          data &&
          texts.skills.usableAndBroken(
            count(data.skills.length, texts.skills.usable),
            numberInWords(data.broken.length),
          )
        }
        onList={onList}
      />
      <main className="min-h-0 flex-1 overflow-y-auto" tabIndex={-1}>
        <div className="mx-auto max-w-4xl space-y-6 p-4 md:p-6">
          <SearchField
            label={texts.skills.search}
            hint={texts.skills.searchHint}
            look="main"
            value={wanted}
            onChange={setWanted}
          />
          {error && <Notice>{error.message}</Notice>}
          {!data && !error && <Skeleton lines={8} />}
          <ul aria-label={texts.skills.title} className="grid grid-cols-1 gap-3 sm:grid-cols-2">
            {shown.map((one) => (
              <SkillCard key={one.name} of={one} />
            ))}
          </ul>
          {data && shown.length === 0 && <p className="text-soft">{texts.skills.noneFound}</p>}
          <Section
            title={texts.skills.broken}
            items={broken.map(({ source, path, diagnostics }) => ({
              where: `${source}: ${path}`,
              diagnostics,
            }))}
          />
          <Section title={texts.skills.leftOut} items={leftOut.map((one) => ({ diagnostics: [one] }))} />
        </div>
      </main>
    </>
  );
}

interface Item {
  readonly where?: string;
  readonly diagnostics: readonly Diagnostic[];
}

function Section({ title, items }: { readonly title: string; readonly items: readonly Item[] }) {
  if (items.length === 0) return null;
  return (
    <section aria-label={title} className="space-y-2">
      <h2 className="font-semibold">
        {title} <span className="font-normal text-soft">({numberInWords(items.length)})</span>
      </h2>
      <ul className="space-y-4 rounded-xl border border-line bg-raised p-4">
        {items.map(({ where, diagnostics }, index) => (
          <li key={index} className="space-y-1">
            {where && <p className="font-mono text-xs text-soft">{where}</p>}
            {diagnostics.map((one, at) => (
              <DiagnosticLine key={at} of={one} />
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
