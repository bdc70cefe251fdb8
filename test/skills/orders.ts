export interface Order {
  region: string;
  product: string;
  customer: string;
  /** `2025-03` */
  month: string;
  quantity: number | undefined;
  /** The price of one item, in cents. */
  cents: number;
  /** In hundredths of a cent, so that sums are exact; missing if the quantity is. */
  revenue: number | undefined;
}

/** The orders of `data/orders.csv`, parsed independently of the skill: one row a line, quoted cells, nothing else. */
export function ordersOf(csv: string): Order[] {
  return csv
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => {
      const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
      );
      const [, date = "", region = "", product = "", count = "", price = "", discount = "", customer = ""] =
        cells;
      if (cells.length !== 8) throw new Error(`Not an order: ${line}`);
      const quantity = count === "" ? undefined : Number(count);
      const cents = Math.round(Number(price) * 100);
      const percent = 100 - Math.round(Number(discount) * 100);
      const known = customer === "N/A" ? "" : customer;
      return {
        region,
        product,
        customer: known,
        month: date.slice(0, 7),
        quantity,
        cents,
        revenue: quantity && quantity * cents * percent,
      };
    });
}
