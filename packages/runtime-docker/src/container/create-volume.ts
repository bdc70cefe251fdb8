import type { EngineClient } from "../engine/engine-client.js";
import type { LastingCalls } from "../engine/lasting-calls.js";
import type { ContainerRecord } from "./container-labels.js";
import { volumeSettings } from "./container-settings.js";

/**
 * Podman interprets `size` as a disk quota. It passes a number of blocks through, which limits the memory just as well.
 */
export async function createVolume(
  engine: EngineClient,
  record: ContainerRecord,
  making: LastingCalls,
): Promise<void> {
  const settings = volumeSettings(record, engine.isPodman ? "nr_blocks" : "size");
  await making.call("Making a volume", () => engine.docker.createVolume(settings));
}
