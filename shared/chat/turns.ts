const AT_ONCE = 16;

/** Works through many things a few at a time; after a failure nothing more is begun. */
export async function inTurns<T>(things: Iterable<T>, work: (thing: T) => Promise<void>): Promise<void> {
  const iterator = things[Symbol.iterator]();
  let isStopped = false;
  const worker = async () => {
    for (let next = iterator.next(); !next.done && !isStopped; next = iterator.next()) {
      await work(next.value).catch((error: unknown) => {
        isStopped = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
