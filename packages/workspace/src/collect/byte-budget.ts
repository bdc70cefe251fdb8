/** What is left of `maxTotalBytes` while one file after the other is collected. */
export interface ByteBudget {
  left(): number;
  take(bytes: number): void;
}

export function byteBudget(total: number): ByteBudget {
  let left = total;
  return {
    left: () => left,
    take(bytes) {
      left = Math.max(0, left - bytes);
    },
  };
}
