import { checkRecordKey } from "@skillwright/core/adapter";
import { keyPart, type RedisPlace } from "../connection/redis-place.js";

/** Keys of collections and records; those of one collection are in one slot of a Cluster. */
export function recordKeys(place: RedisPlace) {
  function keysOfCollection(collection: readonly string[]) {
    const tag = `{records:${collection.map(keyPart).join("/")}}`;
    const keyOf = (kind: string) => place.key(`${tag}:${kind}`);
    return { tag, names: keyOf("names"), ages: keyOf("ages"), record: keyOf("record:"), log: keyOf("log:") };
  }

  /** @throws SkillError `INPUT_INVALID`. */
  function keysOf(key: readonly string[]) {
    const { collection, name } = checkRecordKey(key);
    const { tag, names, ages, record, log } = keysOfCollection(collection);
    // The name is not encoded, so that a script can make the key of a record that it finds by its name.
    const own = { record: record + name, logs: `${log}${name}:` };
    return { name, id: `${tag}:${name}`, ...own, keys: [own.record, names, ages, own.logs] };
  }

  return { keysOf, keysOfCollection };
}
