/**
 * Finds contradictions in the ledgers: uploads that a later run did not see, content that was never uploaded, uploads of a
 * destroyed workspace that came back, artifacts that were not there, unexplained errors.
 *
 * A destruction without an acknowledgement can still happen until the workspace was given to a later caller.
 *
 * @returns sentences, one for each finding
 */
export function verdictOn(operations, kills) {
  const byWorkspace = groupedByWorkspace(operations);
  return [...byWorkspace.values()].flatMap((own) => {
    const removals = removalsIn(own, kills);
    return [
      ...unseen(own, removals),
      ...unknown(own, operations),
      ...returned(own),
      ...errors(own, removals),
    ];
  });
}

/** The uploads that must still be in their workspaces at the end. */
export function uploadsThatMustBe(operations, kills) {
  return [...groupedByWorkspace(operations).values()].flatMap((own) => {
    const removals = removalsIn(own, kills);
    return acknowledged(own, "upload").filter(
      ({ begin }) => !isRemoved(removals, begin, Number.POSITIVE_INFINITY),
    );
  });
}

/** How often a run had to see an upload. */
export function checksIn(operations, kills) {
  return [...groupedByWorkspace(operations).values()].reduce(
    (sum, own) => sum + pairsToSee(own, removalsIn(own, kills)).length,
    0,
  );
}

function groupedByWorkspace(operations) {
  const groups = new Map();
  for (const operation of operations) {
    const { workspace = "none" } = operation;
    if (!groups.has(workspace)) groups.set(workspace, []);
    groups.get(workspace).push(operation);
  }
  return groups;
}

/** The time span in which each destruction may have happened. */
function removalsIn(own, kills) {
  return own
    .filter(({ kind, error }) => kind === "destroy" && error !== "WORKSPACE_NOT_FOUND")
    .map((operation) => ({
      from: operation.begin,
      to: operation.error ? healed(own, operation.end) : endOf(own, operation, kills),
    }));
}

function endOf(own, { key, end }, kills) {
  if (end !== undefined) return end;
  const killed = kills.find(({ name }) => key.startsWith(`${name}-`));
  return healed(own, killed?.at ?? Number.POSITIVE_INFINITY);
}

function healed(own, after) {
  const next = own.find(
    ({ kind, begin, end, error }) => kind === "make" && begin > after && end !== undefined && !error,
  );
  return next?.end ?? Number.POSITIVE_INFINITY;
}

function acknowledged(operations, kind) {
  return operations.filter((one) => one.kind === kind && one.end !== undefined && !one.error);
}

function isRemoved(removals, from, to) {
  return removals.some((removal) => removal.to >= from && removal.from <= to);
}

/** Every run with each of the uploads that it had to see. */
function pairsToSee(own, removals) {
  const uploads = acknowledged(own, "upload");
  return acknowledged(own, "run")
    .filter(({ listing }) => listing)
    .flatMap((run) =>
      uploads
        .filter(({ begin, end }) => end < run.begin && !isRemoved(removals, begin, run.end))
        .map((upload) => ({ run, upload })),
    );
}

function unseen(own, removals) {
  return pairsToSee(own, removals)
    .filter(({ run, upload }) => run.listing[upload.name] !== upload.sha256)
    .map(
      ({ run, upload: { name, key } }) =>
        `lost upload: ${name} (${key}) was not seen by the later run ${run.key} in ${run.workspace}`,
    );
}

function unknown(own, operations) {
  const hashes = new Set(operations.filter(({ kind }) => kind === "upload").map(({ sha256 }) => sha256));
  return acknowledged(own, "run")
    .filter(({ listing }) => listing)
    .flatMap(({ key, listing, workspace }) =>
      Object.entries(listing)
        .filter(([, sha256]) => !hashes.has(sha256))
        .map(
          ([name]) => `torn upload: ${name} in ${workspace} has content that nobody uploaded (run ${key})`,
        ),
    );
}

/** Between the acknowledged end of a destruction and the run there was a new workspace; nothing of the old one is in it. */
function returned(own) {
  const uploads = acknowledged(own, "upload");
  return acknowledged(own, "run")
    .filter(({ listing }) => listing)
    .flatMap((run) =>
      uploads
        .filter(({ end, name, sha256 }) => run.listing[name] === sha256 && isGoneBetween(own, end, run.begin))
        .map(
          ({ name, key }) =>
            `came back: ${name} (${key}) was in a workspace that had been destroyed, and ${run.key} saw it`,
        ),
    );
}

function isGoneBetween(own, from, to) {
  return acknowledged(own, "destroy").some(({ begin, end, removed }) => removed && begin > from && end < to);
}

/** A workspace that a worker destroys can be missing for others until it is created again, but never a worker's own. */
function errors(own, removals) {
  const failed = own
    .filter((operation) => operation.error && !isExplained(operation, own, removals))
    .map(
      ({ kind, key, error, message, workspace }) =>
        `unexpected: ${kind} ${key} in ${workspace}: ${error}: ${message}`,
    );
  const wrong = own
    .filter(({ kind, lost }) => kind === "collect" && lost)
    .map(({ key, name, version }) => `lost artifact: ${name}@${version} had other bytes (${key})`);
  const odd = acknowledged(own, "run").flatMap((run) =>
    oddities(run, isRemoved(removals, run.begin, run.end)),
  );
  return [...failed, ...wrong, ...odd];
}

function isExplained({ error, begin, end, own: isOwn }, own, removals) {
  if (error !== "WORKSPACE_NOT_FOUND" || isOwn) return false;
  const made = acknowledged(own, "make").findLast((make) => make.end < begin);
  return isRemoved(removals, made?.begin ?? 0, end);
}

/**
 * A run whose workspace is destroyed meanwhile is ended, and its outputs are gone; if it reports that it may have left a
 * process, the final check of all processes decides.
 */
function oddities({ key, shape, exitCode, timedOut, treeEnded, artifact, diagnostics }, isRemovedMeanwhile) {
  const wanted = isRemovedMeanwhile || (shape === "timeout" ? timedOut : exitCode === 0 && artifact);
  const said = diagnostics.length > 0 ? `: ${diagnostics.join("; ")}` : "";
  return [
    ...(wanted
      ? []
      : [
          `unexpected: the run ${key} (${shape}) ended with ${exitCode}, saved ${artifact ? "an" : "no"} artifact${said}`,
        ]),
    ...(treeEnded || isRemovedMeanwhile
      ? []
      : [`left: the run ${key} ended with processes of it still there`]),
  ];
}
