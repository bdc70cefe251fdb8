/** Those who want to look again when something was changed through any view of one box. */
export interface BoxNotices {
  /** @returns Ends it. */
  add(look: () => void): () => void;
  /** Calls all but the one who changed it. */
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
