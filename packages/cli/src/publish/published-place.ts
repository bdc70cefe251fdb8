import {
  type Metadata,
  openMetadata,
  openPublishingPlace,
  type PublishingPlace,
  sourceClients,
} from "@skillwright/config";
import { indexed } from "@skillwright/skillbox";
import type { CliContext } from "../cli-context.js";

/**
 * Opens the place that a source names, runs the work and closes it. With metadata, its index is updated, so that
 * readers of the index see the change at once.
 */
export async function atPlace<T>(
  source: string,
  metadataAddress: string | undefined,
  context: CliContext,
  work: (place: PublishingPlace) => Promise<T>,
): Promise<T> {
  const clients = sourceClients(context.env);
  let metadata: Metadata | undefined;
  try {
    if (metadataAddress !== undefined) metadata = await openMetadata(metadataAddress, { cwd: context.cwd });
    await using place = await openPublishingPlace(source, { cwd: context.cwd, clients });
    if (!metadata?.index) return await work(place);
    await using withIndex = indexed(place, metadata.index(source));
    const { setLabel, labels } = place;
    const labelling = { ...(setLabel && { setLabel }), ...(labels && { labels }) };
    return await work({ ...withIndex, ...labelling, ...rollingBack(place, withIndex) });
  } finally {
    await metadata?.close();
    await clients.close();
  }
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
