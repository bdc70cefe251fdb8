import type { DiskUsage } from "./disk-usage.js";
import {
  descriptorsWithin,
  listDescriptors,
  processesIn,
  removedMappings,
  threadsOf,
} from "./process-files.js";
import { unlinkedFiles } from "./unlinked-usage.js";

/** What a thorough search of the processes of a run found. */
export interface HiddenUsage extends DiskUsage {
  /** True if the processes keep removed files whose size the search cannot find. */
  readonly hasMore: boolean;
}

/** The first process of the namespace is the supervisor, which other processes cannot inspect. */
const FIRST = /\/1$/;

/**
 * What unlinked files on the disk `device` take that any thread of a PID namespace keeps open or mapped, or has passed through
 * a socket where nobody has received it. Takes longer than `unlinkedUsage`.
 * @param inside One of its processes, which has a `/proc` of the namespace.
 */
export async function hiddenUsage(inside: number, device: number): Promise<HiddenUsage> {
  const found = unlinkedFiles(device);
  let hasMore = false;
  for (const process of processesIn(inside).filter((path) => !FIRST.test(path))) {
    for (const thread of threadsOf(process)) {
      const files = listDescriptors(thread);
      hasMore ||= files === undefined;
      for (const file of files ?? []) {
        const stats = await found.look(file);
        if (stats?.isSocket()) hasMore ||= descriptorsWithin(file.info) > 0;
      }
    }
    for (const mapping of removedMappings(process)) {
      // Only root may follow a mapping to its file.
      const stats = await found.look(mapping);
      hasMore ||= stats === undefined;
    }
  }
  return { ...found.usage(), hasMore };
}
