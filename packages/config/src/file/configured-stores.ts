import type { Diagnostic } from "@skillwright/core";
import type { Environment } from "../clients/s3-client.js";
import { inHome } from "../places/in-home.js";
import { absoluteSource } from "../sources/absolute-source.js";
import type { Configuration, ConfiguredRetention } from "./configuration.js";
import type { ConfigurationLayer } from "./merged-configuration.js";
import { variableUnset } from "./variable-unset.js";

interface StoresContext {
  readonly env: Environment;
  readonly home: string | undefined;
  readonly tell: (diagnostic: Diagnostic) => void;
}

/** Returns the addresses of the stores, and for how long a server keeps what is in them. Each address comes from the first file that has it, and its folder or SQLite file is relative to that file. */
export function configuredStores(
  layers: readonly ConfigurationLayer[],
  { env, home, tell }: StoresContext,
): Configuration["stores"] {
  const records = addressOf("records");
  const artifacts = addressOf("artifacts");
  const keep: ConfiguredRetention = Object.assign(
    {},
    ...layers.map(({ file }) => file.stores?.keep).reverse(),
  );
  return {
    ...(records !== undefined && { records }),
    ...(artifacts !== undefined && { artifacts }),
    ...(Object.keys(keep).length > 0 && { keep }),
  };

  function addressOf(field: "records" | "artifacts"): string | undefined {
    const layer = layers.find(({ file }) => file.stores?.[field] !== undefined);
    const given = layer?.file.stores?.[field];
    if (!layer || given === undefined) return undefined;
    if (typeof given === "string") return absolute(given, layer.cwd);
    const address = env[given.from];
    if (address) return absolute(address, layer.cwd);
    tell(variableUnset(`stores.${field}`, given.from));
    return undefined;
  }

  function absolute(address: string, cwd: string): string {
    try {
      return absoluteSource(inHome(address, home), cwd);
    } catch {
      // It is no source of skills, such as an address of Redis, or it is invalid, which the program reports that opens it.
      return address;
    }
  }
}
