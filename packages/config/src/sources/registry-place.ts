import type { Skill, UploadFile } from "@skillwright/core";
import { verifiedContent } from "@skillwright/core/adapter";
import type { HttpRegistry } from "@skillwright/repository-http";
import type { PublishingPlace } from "./open-publishing-place.js";

/** A registry as a place to publish to. A rollback publishes the verified files of the old version again. */
export function registryPlace(registry: HttpRegistry): PublishingPlace {
  return {
    ...registry,
    async rollback(name, version, options = {}) {
      const skill = await registry.load(name, { ...options, version });
      return await registry.upload(filesOf(skill), options);
    },
  };

  async function* filesOf({ name, digest, manifest }: Skill): AsyncGenerator<UploadFile> {
    const read = await registry.reader?.(name, { version: digest });
    for (const file of manifest.files) {
      const content = (await read?.(file.path)) ?? "";
      yield { path: file.path, content: verifiedContent(file, content), executable: file.executable };
    }
  }
}
