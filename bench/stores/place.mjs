import { readFileSync, writeFileSync } from "node:fs";

/** The addresses and credentials of the servers, which are too long and partly too private for a command line. */
export function keepPlace(directory, place) {
  writeFileSync(`${directory}/place.json`, JSON.stringify(place), { mode: 0o600 });
}

export function placeIn(directory) {
  return { directory, ...JSON.parse(readFileSync(`${directory}/place.json`, "utf8")) };
}
