const BETWEEN_LOOKS_MS = 3000;
const BETWEEN_HINTED_LOOKS_MS = 1000;

/**
 * Loads the open chat again while replies of it are watched: those of which something may have been missed, because
 * they were begun in another tab, before this page was opened or while the socket was away.
 * @param {() => Promise<string[]>} load loads it and says which replies are not complete
 */
export function createFollower(load) {
  let watched = new Set();
  let timer = 0;
  const looks = createLooks(async () => {
    clearTimeout(timer);
    watched = new Set(await load());
    if (watched.size > 0) plan(BETWEEN_LOOKS_MS);
  });
  const plan = (ms) => {
    clearTimeout(timer);
    timer = setTimeout(() => void looks.look().catch(() => plan(BETWEEN_LOOKS_MS)), ms);
  };
  return {
    look: () => looks.look(),
    isWatching: (id) => watched.has(id),
    watch(ids) {
      for (const id of ids) watched.add(id);
      if (watched.size > 0 && !looks.isLooking()) plan(BETWEEN_LOOKS_MS);
    },
    /** Something happened that this tab cannot show by itself; the last thing of a reply is worth an immediate look. */
    hint: (isLast = false) => plan(isLast ? 0 : Math.max(0, BETWEEN_HINTED_LOOKS_MS - looks.since())),
    get isIdle() {
      return watched.size === 0;
    },
    forget() {
      watched.clear();
      clearTimeout(timer);
    },
  };
}

/** Whoever asks while a look is under way gets another one after it: the first may be too old. */
function createLooks(load) {
  let running = /** @type {Promise<void> | undefined} */ (undefined);
  let isStale = false;
  let lookedAt = 0;
  const untilFresh = async () => {
    while (isStale) {
      isStale = false;
      lookedAt = Date.now();
      await load();
    }
  };
  return {
    since: () => Date.now() - lookedAt,
    isLooking: () => running !== undefined,
    look() {
      isStale = true;
      running ??= untilFresh().finally(() => void (running = undefined));
      return running;
    },
  };
}
