import Dockerode from "dockerode";
import { containerName } from "../../src/container/container-labels.js";
import { enginePlace } from "../../src/engine/engine-address.js";
import type { DockerSubject } from "../docker-subject.js";

/** The container of the workspace `w` as another program sees it. */
export function outside(host: string, { namespace }: Pick<DockerSubject, "namespace">): Dockerode.Container {
  const place = enginePlace({ host });
  if (place.kind !== "socket") throw new Error(`${host} is no socket.`);
  return new Dockerode({ socketPath: place.path }).getContainer(containerName(namespace, "w"));
}
