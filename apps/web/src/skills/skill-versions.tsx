import type { SkillDetail } from "../api/answers.js";
import { texts } from "../texts/index.js";
import { Digest } from "../ui/badge.js";
import { agoInWords } from "../ui/words.js";

export function SkillVersions({ versions }: { readonly versions: SkillDetail["versions"] }) {
  return (
    <section aria-label={texts.skills.versions} className="space-y-2">
      <h2 className="font-semibold">{texts.skills.versions}</h2>
      {versions.length === 0 ? (
        <p className="text-sm text-soft">{texts.skills.onlyVersion}</p>
      ) : (
        <ul className="space-y-1 text-sm">
          {versions.map(({ version, digest, createdAt, by }) => (
            <li key={version} className="flex flex-wrap gap-2">
              <span className="truncate font-mono text-xs">{version.slice(0, 20)}</span>
              <Digest of={digest} />
              <span className="text-xs text-soft">
                {agoInWords(createdAt)} {by}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
