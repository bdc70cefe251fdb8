import type { SkillList } from "../api/answers.js";
import { addressOf } from "../app/route.js";
import { texts } from "../texts/index.js";
import { Badge } from "../ui/badge.js";
import { printable } from "../ui/printable.js";
import { count } from "../ui/words.js";

export function SkillCard({
  of: { name, description, source, trusted, version, diagnostics },
}: {
  readonly of: SkillList["skills"][number];
}) {
  return (
    <li className="rounded-xl border border-line bg-raised hover:border-accent">
      <a href={addressOf({ view: "skills", name })} className="block h-full space-y-1.5 rounded-xl p-4">
        <div className="flex flex-wrap items-center gap-1.5">
          <h2 className="mr-1 font-semibold">{printable(name)}</h2>
          <Badge title={texts.skills.source}>{printable(source)}</Badge>
          <Badge look={trusted ? "good" : "warn"}>
            {trusted ? texts.skills.trusted : texts.skills.untrusted}
          </Badge>
          {version && <Badge>{printable(version)}</Badge>}
          {diagnostics.length > 0 && (
            <Badge look="warn">{count(diagnostics.length, texts.skills.remarks)}</Badge>
          )}
        </div>
        <p className="line-clamp-3 text-sm text-soft">{printable(description)}</p>
      </a>
    </li>
  );
}
