import type { RuntimeWorkspace } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { getFile } from "./get-file.js";
import { getMany } from "./get-many.js";
import { layoutPath, READABLE_ROOTS, WRITABLE_ROOTS } from "./layout-path.js";
import { listFiles } from "./list-files.js";
import { putFiles } from "./put-files.js";
import { putLink } from "./put-link.js";
import { removePath } from "./remove-path.js";

export type WorkspaceFiles = Required<
  Pick<RuntimeWorkspace, "put" | "get" | "getMany" | "list" | "link" | "remove">
>;

/**
 * The files of one workspace, as the port describes, in a container that is ready; `getMany` ensures that itself,
 * because it starts when its first file is requested. Everything runs as the run's user except the engine's packing and
 * unpacking. All output of the container is validated here.
 */
export function workspaceFiles(container: WorkspaceContainer): WorkspaceFiles {
  return {
    put: (files, options) => putFiles(container, files, options),
    get: async (path, options) => await getFile(container, layoutPath(path, READABLE_ROOTS), options),
    getMany: async function* (paths, options = {}) {
      checkAborted(options.signal);
      await container.ready({ signal: options.signal });
      yield* getMany(container, paths, options);
    },
    list: async (path, options) => {
      if (path === undefined)
        return await listFiles(container, { within: "", below: WRITABLE_ROOTS }, options);
      return await listFiles(container, { within: layoutPath(path, READABLE_ROOTS), below: ["."] }, options);
    },
    link: (path, to, options) => putLink(container, path, to, options),
    remove: (path, options) => removePath(container, path, options),
  };
}
