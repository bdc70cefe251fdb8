import { isContainedPath, type JsonObject, type JsonValue } from "@skillwright/core";
import { isObject } from "../files/json-text.js";

/** Where a plugin of a marketplace is. Plain data, which the application fetches. */
export type MarketplaceSource =
  | {
      readonly kind: "folder";
      /** Relative to the marketplace, `/` between parts, `.` for the marketplace itself. */
      readonly path: string;
    }
  | {
      readonly kind: "git";
      readonly url: string;
      /** The plugin's folder in the repository; its top where it is absent. */
      readonly path?: string;
      readonly ref?: string;
      readonly sha?: string;
    }
  | { readonly kind: "npm"; readonly package: string; readonly version?: string; readonly registry?: string };

/** The source of an entry; `undefined` for one of an unknown kind, without its fields, or that leads out of its place. */
export function marketplaceSource(
  given: JsonValue | undefined,
  pluginRoot: string,
): MarketplaceSource | undefined {
  if (typeof given === "string") return folder(given, pluginRoot);
  if (!isObject(given)) return undefined;
  const { source, repo, url } = given;
  if (source === "github" && typeof repo === "string" && ON_GITHUB.test(repo))
    return { kind: "git", url: `https://github.com/${repo}.git`, ...texts(given, ["ref", "sha"]) };
  if (source === "url" && isAddress(url)) return { kind: "git", url, ...texts(given, ["ref", "sha"]) };
  if (source === "git-subdir" && isAddress(url)) return subdirectory(url, given);
  if (source === "npm" && typeof given["package"] === "string" && given["package"] !== "")
    return { kind: "npm", package: given["package"], ...texts(given, ["version", "registry"]) };
  return undefined;
}

const ON_GITHUB = /^\w[\w-]*\/\.?\w[\w.-]*$/;

/** git would take an address that begins with a hyphen as an option. */
function isAddress(url: JsonValue | undefined): url is string {
  return typeof url === "string" && /^[^-\s]/.test(url);
}

/** A path that does not begin with `./` is below the marketplace's `pluginRoot`. */
function folder(given: string, pluginRoot: string): MarketplaceSource | undefined {
  if (given.startsWith("/")) return undefined;
  const path = plain(given.startsWith("./") ? given : `${pluginRoot}/${given}`);
  return path === "." || isContainedPath(path) ? { kind: "folder", path } : undefined;
}

function subdirectory(url: string, given: JsonObject): MarketplaceSource | undefined {
  const path = plain(typeof given["path"] === "string" ? given["path"] : "");
  if (!isContainedPath(path)) return undefined;
  // Claude Code also takes the short form of a repository on GitHub.
  const whole = ON_GITHUB.test(url) ? `https://github.com/${url}.git` : url;
  return { kind: "git", url: whole, path, ...texts(given, ["ref", "sha"]) };
}

function plain(path: string): string {
  const absolute = path.startsWith("/") ? "/" : "";
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return absolute + parts.join("/") || ".";
}

function texts<Name extends string>(
  given: JsonObject,
  names: readonly Name[],
): { readonly [key in Name]?: string } {
  const found = names.filter((name) => typeof given[name] === "string");
  return Object.fromEntries(found.map((name) => [name, given[name]])) as { [key in Name]?: string };
}
