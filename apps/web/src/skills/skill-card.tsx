import type { SkillList } from "../api/answers.js";
import { addressOf } from "../app/route.js";
import { Badge } from "../ui/badge.js";
import { printable } from "../ui/printable.js";

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
          <Badge title="Source">{printable(source)}</Badge>
          <Badge look={trusted ? "good" : "warn"}>{trusted ? "trusted" : "untrusted"}</Badge>
          {version && <Badge>{printable(version)}</Badge>}
          {diagnostics.length > 0 && <Badge look="warn">{diagnostics.length} remarks</Badge>}
        </div>
        <p className="line-clamp-3 text-sm text-soft">{printable(description)}</p>
      </a>
    </li>
  );
}
