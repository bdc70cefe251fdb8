import { SkillError } from "@skillwright/core";
import type { ContainerWish } from "./container-options.js";

/**
 * The wish for a container whose commands have the network; the same one where all containers have it.
 * @throws SkillError `UNSUPPORTED` where the options deny it.
 */
export function onlineWish(wish: ContainerWish): ContainerWish {
  if (wish.network !== "none") return wish;
  if (wish.installNetwork !== "none") return { ...wish, network: wish.installNetwork };
  throw new SkillError(
    "UNSUPPORTED",
    'The Docker runtime gives no workspace the network: its option installNetwork is "none". Set installNetwork to a network of the engine.',
    { details: { option: "installNetwork" } },
  );
}

/** For the failure to create a container with that network: the engine may not have it. */
export function withoutNetwork({ network }: ContainerWish): (error: unknown) => never {
  return (cause) => {
    if (!SkillError.is(cause, "BACKEND_FAILED") || !/network/i.test(cause.message)) throw cause;
    throw new SkillError(
      "UNSUPPORTED",
      `The engine could not give a workspace the network ${network}, which packages are installed with: ${cause.message} ` +
        "Set the option installNetwork of the Docker runtime to a network that `docker network ls` lists.",
      { cause, details: { option: "installNetwork", network } },
    );
  };
}
