import type { TurnDataParts } from "@skillwright/server/client";
import { useQuery } from "@tanstack/react-query";
import { skillsQuery } from "../api/queries.js";
import { texts } from "../texts/index.js";
import { Badge, Digest } from "../ui/badge.js";
import { bytesInWords, count } from "../ui/words.js";

type Run = TurnDataParts["run"];

interface RunFactsProps {
  readonly run: Run;
  /** The skill that the call names, until it is staged. */
  readonly skill: string | undefined;
  readonly isOpen: boolean;
}

/** Which skill a command ran with, in which isolation, and what it used; when open, also the limits that held. */
export function RunFacts({ run, skill, isOpen }: RunFactsProps) {
  const limits = isOpen ? limitsInWords(run.limits) : [];
  return (
    <div className="space-y-1 px-3 pb-2 pl-9 text-xs">
      <div className="flex flex-wrap items-center gap-1.5">
        <SkillFacts name={run.skill ?? skill} digest={run.digest} />
        {run.isolation && (
          <Badge look={run.isolation.startsWith("none") ? "warn" : "plain"} title={texts.runs.isolation}>
            {run.isolation}
          </Badge>
        )}
        {run.peakMemoryBytes !== undefined && (
          <Badge title={texts.runs.peakMemory}>{texts.runs.upTo(bytesInWords(run.peakMemoryBytes))}</Badge>
        )}
      </div>
      {limits.length > 0 && <p className="text-soft">{texts.runs.limits(limits.join(" · "))}</p>}
    </div>
  );
}

function SkillFacts({
  name,
  digest,
}: {
  readonly name: string | undefined;
  readonly digest: string | undefined;
}) {
  const { data } = useQuery({ ...skillsQuery, enabled: name !== undefined });
  if (name === undefined) return null;
  const found = data?.skills.find((one) => one.name === name);
  return (
    <>
      <Badge look="accent">{name}</Badge>
      {found && <Badge title={texts.skills.sourceOfSkill}>{found.source}</Badge>}
      {found && (
        <Badge look={found.trusted ? "good" : "warn"}>
          {found.trusted ? texts.skills.trusted : texts.skills.untrusted}
        </Badge>
      )}
      {digest && <Digest of={digest} />}
    </>
  );
}

function limitsInWords(limits: Run["limits"] = {}): readonly string[] {
  const { memoryBytes, diskBytes, fileBytes, inodes, processes, openFiles, cpu } = limits;
  const words = texts.runs.limit;
  const size = (bytes: number | undefined, form: (size: string) => string) =>
    bytes !== undefined && form(bytesInWords(bytes));
  const number = (value: number | undefined, forms: Parameters<typeof count>[1]) =>
    value !== undefined && count(value, forms);
  return [
    size(memoryBytes, words.memory),
    size(diskBytes, words.disk),
    size(fileBytes, words.oneFile),
    number(inodes, texts.ui.file),
    number(processes, words.processes),
    number(openFiles, words.openFiles),
    cpu !== undefined && words.cores(cpu.toLocaleString()),
  ].filter((text) => text !== false);
}
