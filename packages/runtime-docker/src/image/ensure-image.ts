import { type CallOptions, SkillError } from "@skillwright/core";
import { untilAborted } from "@skillwright/core/adapter";
import type { EngineClient } from "../engine/engine-client.js";
import { statusOf } from "../engine/engine-error.js";
import { type ImageFacts, imageFacts } from "./image-facts.js";
import { DEFAULT_IMAGE, type ImageOptions } from "./image-options.js";
import { pullImage } from "./pull-image.js";

const LONGEST_REFERENCE = 512;

/**
 * Returns the engine's data about the image, pulling it first where needed; concurrent calls share one pull.
 * @throws SkillError `CONFIG_INVALID` at once for an invalid image name; from the calls for an image that is missing,
 * unavailable, or refused to these credentials, `BACKEND_FAILED`, `ABORTED`.
 */
export function imageSource(
  options: ImageOptions,
): (engine: EngineClient, options?: CallOptions) => Promise<ImageFacts> {
  const { image = DEFAULT_IMAGE, pull = "missing" } = options;
  checkReference(image);
  let pulling: Promise<void> | undefined;
  let asked = false;

  async function bring(engine: EngineClient): Promise<void> {
    pulling ??= pullImage(engine, image, options).finally(() => {
      pulling = undefined;
    });
    await pulling;
  }

  return async (engine, { signal } = {}) => {
    if (pull === "always" && !asked) {
      await untilAborted(bring(engine), signal);
      asked = true;
    }
    const there = await inspected(engine, image, { signal });
    if (there) return there;
    if (pull === "never") throw notThere(image, engine.host);
    await untilAborted(bring(engine), signal);
    const brought = await inspected(engine, image, { signal });
    if (!brought) throw notThere(image, engine.host);
    return brought;
  };
}

/** Any other text would become part of a URL of the engine's API. */
function checkReference(image: string): void {
  const name =
    /^(?:(?:[A-Za-z0-9]+(?:[.-]+[A-Za-z0-9]+)*|\[[0-9A-Fa-f:]+\])(?::\d{1,5})?\/)?[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*/;
  const rest = image.length <= LONGEST_REFERENCE ? image.replace(name, "") : undefined;
  if (rest !== undefined && rest !== image && /^(?::\w[\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$/.test(rest))
    return;
  throw new SkillError(
    "CONFIG_INVALID",
    `${JSON.stringify(image.slice(0, 200))} is not the name of an image. Give it as for docker run: name, name:tag or registry/name:tag, in lower case.`,
    { details: { image: image.slice(0, 200) } },
  );
}

async function inspected(
  engine: EngineClient,
  image: string,
  options: CallOptions,
): Promise<ImageFacts | undefined> {
  const what = `Looking at the image ${image}`;
  try {
    return imageFacts(image, await engine.call(what, () => engine.docker.getImage(image).inspect(), options));
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

function notThere(image: string, host: string): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `The engine at ${host} has no image ${image}, and pull: "never" forbids pulling it. Pull or build it there, or choose another image.`,
    { details: { image, host } },
  );
}
