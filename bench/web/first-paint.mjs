import { median } from "../format/statistics.mjs";
import { EMPTY, pageHouse } from "./page-house.mjs";

const ROUNDS = 9;

export async function measure() {
  const house = await pageHouse([]);
  /** @type {{ ours: number[], empty: number[] }} */
  const times = { ours: [], empty: [] };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      times.empty.push(await paintOf(await house.open(EMPTY)));
      times.ours.push(await paintOf(await house.open("")));
    }
  } finally {
    await house.close();
  }
  const [ours, empty] = [median(times.ours), median(times.empty)];
  return `${ours.toFixed(0)} ms, empty page ${empty.toFixed(0)} ms (${(ours / empty).toFixed(1)} times)`;
}

async function paintOf(/** @type {any} */ page) {
  const at = await page.evaluate(`new Promise((resolve) =>
    new PerformanceObserver((list) => {
      const [first] = list.getEntriesByName("first-contentful-paint");
      if (first) resolve(first.startTime);
    }).observe({ type: "paint", buffered: true }))`);
  await page.context().close();
  return at;
}
