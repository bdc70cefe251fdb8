import { SkillError } from "@skillwright/core";
import type { CatalogView, ViewParts } from "./catalog-view.js";
import { type LivingSources, namedSource } from "./living-sources.js";
import type { SkillBox } from "./skill-box-options.js";

/** Adds and removes the sources of a living box. */
export function boxSources(
  { cache, search }: Pick<ViewParts, "cache" | "search">,
  scope: {
    readonly own: CatalogView;
    readonly tenant: string | undefined;
    readonly checkOpen: () => void;
    readonly living: LivingSources;
  },
): Pick<SkillBox, "addSource" | "removeSource"> {
  const { own, tenant, checkOpen, living } = scope;

  function changed(): void {
    // Another repository may get the name of a removed one.
    cache.clear();
    search.clear();
    own.announce({ skills: [], complete: false });
  }

  return {
    addSource(name, source, { before } = {}) {
      checkOpen();
      const named = namedSource(name, source);
      if (tenant !== undefined && named.tenant !== undefined && named.tenant !== tenant)
        throw otherTenant(name, named.tenant);
      living.add(tenant === undefined ? named : { ...named, tenant }, before);
      changed();
    },
    removeSource(name) {
      checkOpen();
      const found = living.all().find(({ source }) => source === name);
      const isOwn = found && (tenant === undefined || found.tenant === tenant);
      if (!isOwn) return false;
      living.remove(found);
      changed();
      return true;
    },
  };
}

function otherTenant(name: string, tenant: string): SkillError {
  return new SkillError(
    "INPUT_INVALID",
    `The skill source "${name}" is of the tenant "${tenant}". Add it to the box of that tenant.`,
  );
}
