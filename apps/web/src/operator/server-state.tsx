import { useQuery } from "@tanstack/react-query";
import { runtimeQuery } from "../api/queries.js";
import { texts } from "../texts/index.js";
import { DiagnosticLine, Notice } from "../ui/notice.js";
import { Skeleton } from "../ui/skeleton.js";

/** How commands are isolated on the server, and which of its promises do not hold there. */
export function ServerState() {
  const { data, error } = useQuery(runtimeQuery);
  return (
    <section aria-label={texts.operator.server} className="space-y-2">
      <h2 className="font-semibold">{texts.operator.server}</h2>
      {error && <Notice>{error.message}</Notice>}
      {!data && !error && <Skeleton lines={1} />}
      {data && <p className="text-sm">{texts.operator.isolation(data.isolation.level, data.isolation.by)}</p>}
      {data?.diagnostics.length === 0 && <p className="text-sm text-soft">{texts.operator.noDiagnostics}</p>}
      {data?.diagnostics.map((diagnostic) => (
        <DiagnosticLine key={`${diagnostic.code} ${diagnostic.message}`} of={diagnostic} />
      ))}
    </section>
  );
}
