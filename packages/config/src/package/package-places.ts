import { posix, resolve } from "node:path";
import { SkillError } from "@skillwright/core";
import { withoutCredentials } from "../sources/skill-source.js";
import type { CheckedSkillsPackage } from "./skills-package-config.js";

/** A folder or a location in a bucket, with the skills and commands folders below it. */
export type PackagePlace =
  | { readonly kind: "folder"; readonly skills: string; readonly commands: string }
  | {
      readonly kind: "bucket";
      /** Missing for the endpoint that the environment names. */
      readonly endpoint: string | undefined;
      /** True where the bucket's name is part of the host. */
      readonly isVirtualHosted: boolean;
      readonly bucket: string;
      readonly skills: string;
      readonly commands: string;
    };

const HINT =
  "Give s3://bucket/prefix, oss://bucket/prefix or an https address with the bucket as the first part of its path.";

/**
 * The locations of the package, highest precedence first.
 * @param at Path of the configuration in a larger one, for messages.
 * @throws SkillError `CONFIG_INVALID` naming `path`.
 */
export function packagePlaces(
  config: CheckedSkillsPackage,
  workDir: string,
  at = "skillsPackage",
): readonly PackagePlace[] {
  const { source, path, localPath } = config;
  if (source === "local") return [folder(config, resolve(workDir, path))];
  const address = bucketAddress(path);
  if (!address) throw notABucket(source, path, at);
  const bucket = bucketPlace(config, address);
  return source === "hybrid" ? [folder(config, resolve(workDir, localPath)), bucket] : [bucket];
}

function folder({ skillsDir, commandsDir }: CheckedSkillsPackage, base: string): PackagePlace {
  return { kind: "folder", skills: resolve(base, skillsDir), commands: resolve(base, commandsDir) };
}

function bucketPlace(
  { version, skillsDir, commandsDir }: CheckedSkillsPackage,
  { endpoint, isVirtualHosted, bucket, prefix }: BucketAddress,
): PackagePlace {
  const below = (directory: string): string =>
    posix.join(prefix, version ?? "", directory).replace(/^\.?\/|\/$/g, "");
  return {
    kind: "bucket",
    endpoint,
    isVirtualHosted,
    bucket,
    skills: below(skillsDir),
    commands: below(commandsDir),
  };
}

interface BucketAddress {
  readonly endpoint: string | undefined;
  readonly isVirtualHosted: boolean;
  readonly bucket: string;
  readonly prefix: string;
}

function bucketAddress(path: string): BucketAddress | undefined {
  const url = URL.canParse(path) ? new URL(path) : undefined;
  if (!url || !/^(s3|oss|https?):$/.test(url.protocol) || url.hostname === "") return undefined;
  const parts = url.pathname.split("/").filter((part) => part !== "");
  if (!url.protocol.startsWith("http"))
    return { endpoint: undefined, isVirtualHosted: false, bucket: url.hostname, prefix: parts.join("/") };
  const [first = "", ...rest] = url.hostname.split(".");
  // OSS accepts the bucket only as part of the host.
  if (/\.aliyuncs\.com$/.test(url.hostname) && !/^(oss|s3)\b/.test(first)) {
    const endpoint = `${url.protocol}//${rest.join(".")}`;
    return { endpoint, isVirtualHosted: true, bucket: first, prefix: parts.join("/") };
  }
  const [bucket, ...prefix] = parts;
  if (bucket === undefined) return undefined;
  return { endpoint: url.origin, isVirtualHosted: false, bucket, prefix: prefix.join("/") };
}

function notABucket(source: string, path: string, at: string): SkillError {
  const given = JSON.stringify(withoutCredentials(path).slice(0, 120));
  const fields = [{ path: `${at}.path`, given, expected: "a place in a bucket" }];
  const message = `${at}.path ${given} is not a place in a bucket, which the source "${source}" needs. ${HINT}`;
  return new SkillError("CONFIG_INVALID", message, { details: { fields } });
}
