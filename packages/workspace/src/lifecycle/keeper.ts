import { randomBytes } from "node:crypto";
import { SkillError } from "@skillwright/core";
import type { SharedRecords } from "./shared-records.js";

/** Shows other processes that this one is alive and will destroy the workspaces it created. */
export interface Keeper {
  /** Returns the id of the lease once it is held. It is held until `close`. */
  begin(): Promise<string>;
  /** Releases the lease. */
  close(): Promise<void>;
}

export function keeper(records: SharedRecords): Keeper {
  const id = `keeper_${randomBytes(16).toString("hex")}`;
  let held: Promise<void> | undefined;
  let over: Promise<void> | undefined;
  let end: () => void = () => undefined;
  const ending = new Promise<void>((resolve) => {
    end = resolve;
  });

  async function hold(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      over = records.alone(id, "run", { waitMs: 0 }, async () => {
        resolve();
        await ending;
      });
      over.catch(reject);
    });
  }

  return {
    async begin() {
      held ??= hold().catch((error: unknown) => {
        held = undefined;
        throw error;
      });
      await held;
      return id;
    },
    async close() {
      end();
      // `begin` has thrown the failure. A keeper that loses its mark later counts as ended.
      await over?.catch(() => undefined);
    },
  };
}

/** True where the keeper's process has ended. A keeper id is never reused. @throws what the registry throws. */
export async function isKeeperGone(
  keeperId: string,
  records: SharedRecords,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    return await records.alone(keeperId, "run", { waitMs: 0, signal }, async () => true);
  } catch (error) {
    if (SkillError.is(error, "CONFLICT")) return false;
    throw error;
  }
}
