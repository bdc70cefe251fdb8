/** Notifies the other views of one box when something was changed through any of them. */
export interface BoxNotices {
  /** @returns Function that removes it. */
  add(look: () => void): () => void;
  /** Calls all except the one that made the change. */
  tell(except: () => void): void;
}

export function boxNotices(): BoxNotices {
  const all = new Set<() => void>();
  return {
    add(look) {
      all.add(look);
      return () => void all.delete(look);
    },
    tell(except) {
      for (const look of [...all]) if (look !== except) look();
    },
  };
}
