import { type Diagnostic, SkillError, type WorkspaceRegistry } from "@skillwright/core";
import { eitherSignal, type LeaseOptions, type WorkspaceLease } from "@skillwright/core/adapter";

/** How long others wait for a holder whose death cannot be detected. */
const LEASE_MS = 30_000;
const RENEW_MS = 8_000;

/** `waitMs` defaults to `Infinity`. */
export interface LeaseWish extends Omit<LeaseOptions, "forMs"> {
  readonly tell: (diagnostic: Diagnostic) => void;
}

/**
 * Runs the work while holding the lease and renewing it. If the lease is lost anyway, for example because the process
 * was suspended for half a minute, the signal fires, since another holder may have started.
 * @throws SkillError `CONFLICT` when it was not free in time, or was lost and the work gave up; `ABORTED`.
 */
export async function holdLease<T>(
  registry: WorkspaceRegistry,
  key: string,
  { signal, waitMs = Number.POSITIVE_INFINITY, note, finish, tell }: LeaseWish,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lease = await registry.lease(key, { forMs: LEASE_MS, waitMs, note, finish, signal });
  const lost = new AbortController();
  const renewal = renewing(lease, () => {
    tell(leaseLost(key));
    lost.abort();
  });
  try {
    return await work(eitherSignal(signal, lost.signal));
  } catch (error) {
    const gaveUp = lost.signal.aborted && !signal?.aborted && SkillError.is(error, "ABORTED");
    throw gaveUp ? new SkillError("CONFLICT", leaseLost(key).message, { cause: error }) : error;
  } finally {
    clearInterval(renewal);
    // The lease expires by itself; the work under it is done.
    await lease.release().catch((error: unknown) => tell(releaseFailed(key, error)));
  }
}

function renewing(lease: WorkspaceLease, onLost: () => void): NodeJS.Timeout {
  let validUntil = performance.now() + LEASE_MS;
  let isOver = false;
  const timer = setInterval(() => void renew(), RENEW_MS);
  timer.unref();
  return timer;

  async function renew(): Promise<void> {
    const from = performance.now();
    // If the registry cannot be reached, renewal is retried until the lease expires.
    const outcome = await lease.renew().catch(() => "failed" as const);
    if (outcome === true) validUntil = from + LEASE_MS;
    const isLost = outcome === false || (outcome === "failed" && performance.now() > validUntil - RENEW_MS);
    if (!isLost || isOver) return;
    isOver = true;
    clearInterval(timer);
    onLost();
  }
}

function leaseLost(key: string): Diagnostic {
  return {
    code: "workspace.lease-lost",
    severity: "error",
    message: `This process lost its lease of the workspace ${key}, so its work there was ended.`,
    hint: "Call again. Either the process was suspended for too long, or the registry could not be reached.",
  };
}

function releaseFailed(key: string, error: unknown): Diagnostic {
  return {
    code: "registry.failed",
    severity: "warning",
    message: `The lease of the workspace ${key} could not be released: ${SkillError.from(error, "Releasing").message}`,
    hint: "Others can use the workspace once the lease expires. Check the registry.",
  };
}
