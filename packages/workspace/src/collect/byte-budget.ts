/** The remainder of `maxTotalBytes` while files are collected one after the other. */
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
