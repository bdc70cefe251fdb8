import type { Secret } from "@skillwright/core";

/** Progress of pulling an image, layer by layer. */
export interface PullProgress {
  readonly image: string;
  /** The engine's status text: `Downloading`, `Pull complete`. */
  readonly status: string;
  readonly layer?: string | undefined;
  /** Bytes of the layer, where the engine reports them. */
  readonly current?: number | undefined;
  readonly total?: number | undefined;
}

/** Credentials for the image's registry. */
export interface RegistryCredentials {
  readonly username: string;
  readonly password: string | Secret;
  /** Defaults to the registry in the image's name. */
  readonly server?: string | undefined;
}

/** The default image of containers. */
export const DEFAULT_IMAGE = "node:22-bookworm-slim";

export interface ImageOptions {
  /** A reference as in `docker run`. Defaults to `node:22-bookworm-slim`; any image with a POSIX shell works. */
  readonly image?: string | undefined;
  /**
   * `missing` (default): pulls the image when the engine does not have it. `never`. `always`: asks the registry for a
   * newer one when this runtime first creates a workspace.
   */
  readonly pull?: "missing" | "never" | "always" | undefined;
  readonly onPull?: ((progress: PullProgress) => void) | undefined;
  /** For a registry that requires them; the Docker CLI's own logins are not read. */
  readonly auth?: RegistryCredentials | undefined;
}
