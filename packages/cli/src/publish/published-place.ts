import {
  type OpenedRecords,
  openPublishingPlace,
  openRecords,
  type PublishingPlace,
  sourceClients,
} from "@skillwright/config";
import { SkillError } from "@skillwright/core";
import { indexed } from "@skillwright/skillbox";
import type { CliContext } from "../cli-context.js";

/**
 * Opens the place that a source names, runs the work and closes it. The shared index of its skills is
 * updated, so that its readers see the change at once.
 * @throws SkillError `CONFIG_INVALID` before the work if the address of the index names no Redis server.
 */
export async function atPlace<T>(
  source: string,
  { indexAddress, create }: { readonly indexAddress: string | undefined; readonly create: boolean },
  context: CliContext,
  work: (place: PublishingPlace) => Promise<T>,
): Promise<T> {
  if (indexAddress !== undefined && !/^rediss?:/i.test(indexAddress)) throw noIndex();
  const clients = sourceClients(context.env);
  let opened: OpenedRecords | undefined;
  try {
    if (indexAddress !== undefined) opened = await openRecords(indexAddress, { cwd: context.cwd });
    await using place = await openPublishingPlace(source, { cwd: context.cwd, clients, create });
    if (!opened?.index) return await work(place);
    await using withIndex = indexed(place, opened.index(source));
    const { setLabel, labels } = place;
    const labelling = { ...(setLabel && { setLabel }), ...(labels && { labels }) };
    return await work({ ...withIndex, ...labelling, ...rollingBack(place, withIndex) });
  } finally {
    await opened?.close();
    await clients.close();
  }
}

function noIndex(): SkillError {
  const message =
    "The address of --index names no Redis server, and only Redis has a shared index. Give redis://host:6379, or leave out --index.";
  return new SkillError("CONFIG_INVALID", message);
}

/** The index has no operation for a rollback, so it compares itself with the repository. */
function rollingBack(
  { rollback }: PublishingPlace,
  withIndex: Pick<PublishingPlace, "refresh">,
): Pick<PublishingPlace, "rollback"> {
  return {
    rollback: async (name, version, options) => {
      const skill = await rollback(name, version, options);
      await withIndex.refresh(options);
      return skill;
    },
  };
}
