import { readFileSync, writeFileSync } from "node:fs";

/** Where the measures find the servers: too much, and in part too private, for a command line. */
export function keepPlace(directory, place) {
  writeFileSync(`${directory}/place.json`, JSON.stringify(place), { mode: 0o600 });
}

export function placeIn(directory) {
  return { directory, ...JSON.parse(readFileSync(`${directory}/place.json`, "utf8")) };
}
