import { useQuery } from "@tanstack/react-query";
import { MessageSquarePlus } from "lucide-react";
import { useState } from "react";
import { skillQuery } from "../api/queries.js";
import { addressOf, go, lastConversation } from "../app/route.js";
import { draftOf, keepDraft } from "../chat/draft.js";
import { texts } from "../texts/index.js";
import { Badge, Digest } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import { Markdown } from "../ui/markdown.js";
import { DiagnosticLine, Notice } from "../ui/notice.js";
import { printable } from "../ui/printable.js";
import { Skeleton } from "../ui/skeleton.js";
import { ViewHeader } from "../ui/view-header.js";
import { SkillFile } from "./skill-file.js";
import { SkillFiles } from "./skill-files.js";
import { SkillVersions } from "./skill-versions.js";

/** One skill: its instructions, files, findings and versions. */
export function SkillView({ name, onList }: { readonly name: string; readonly onList: () => void }) {
  const { data, error } = useQuery(skillQuery(name));
  const [path, setPath] = useState("SKILL.md");
  const useIt = () => {
    const id = lastConversation();
    keepDraft(id, `${draftOf(id)}$${name} `);
    go({ view: "conversation", id });
  };
  return (
    <>
      <ViewHeader title={printable(name)} onList={onList}>
        <Button look="main" onClick={useIt}>
          <MessageSquarePlus className="size-4" aria-hidden="true" />
          <span className="hidden sm:inline">{texts.skills.useInConversation}</span>
          <span className="sm:hidden">{texts.skills.use}</span>
        </Button>
      </ViewHeader>
      <main className="min-h-0 flex-1 overflow-y-auto" tabIndex={-1}>
        <div className="mx-auto max-w-5xl space-y-5 p-4 md:p-6">
          <a
            href={addressOf({ view: "skills", name: undefined })}
            className="block w-fit text-sm text-accent hover:underline"
          >
            {texts.skills.all}
          </a>
          {error && <Notice>{error.message}</Notice>}
          {!data && !error && <Skeleton lines={8} />}
          {data && (
            <>
              <div className="space-y-2">
                <p>{printable(data.description)}</p>
                <div className="flex flex-wrap items-center gap-1.5">
                  <Badge title={texts.skills.source}>{printable(data.source)}</Badge>
                  <Badge look={data.trusted ? "good" : "warn"}>
                    {data.trusted ? texts.skills.trusted : texts.skills.asksBeforeRun}
                  </Badge>
                  {data.version && <Badge>{printable(data.version)}</Badge>}
                  <Digest of={data.digest} />
                </div>
              </div>
              <div className="grid grid-cols-1 gap-5 lg:grid-cols-[16rem_minmax(0,1fr)]">
                <div className="space-y-5">
                  <SkillFiles files={data.files} open={path} onOpen={setPath} />
                  <SkillVersions versions={data.versions} />
                </div>
                <div className="space-y-5">
                  <section aria-label={texts.skills.findings} className="space-y-2">
                    <h2 className="font-semibold">{texts.skills.findings}</h2>
                    {data.findings.length === 0 && (
                      <p className="text-sm text-soft">{texts.skills.noFindings}</p>
                    )}
                    <ul className="space-y-1.5">
                      {[...data.diagnostics, ...data.findings].map((finding, index) => (
                        <li key={index}>
                          <DiagnosticLine of={finding} />
                        </li>
                      ))}
                    </ul>
                  </section>
                  <section aria-label={path} className="rounded-xl border border-line bg-raised p-4">
                    {path === "SKILL.md" ? (
                      <Markdown text={data.body} />
                    ) : (
                      <SkillFile name={name} path={path} />
                    )}
                  </section>
                </div>
              </div>
            </>
          )}
        </div>
      </main>
    </>
  );
}
