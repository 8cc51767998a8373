import { AppError } from '../../errors.ts';

/** A place of somebody who is at work. */
export interface Place {
  /** Others may have the place meanwhile; who comes back may have to wait for one. */
  during<T>(waiting: Promise<T>): Promise<T>;
  leave(): void;
}

export interface PlaceRules {
  /** So many at work at once; of one id no more than a quarter, so that few cannot keep out all others. */
  readonly most: number;
  readonly patienceMs: number;
}

interface Waiting {
  readonly id: string;
  readonly admit: () => void;
}

/** Those who find no place wait in line, each until its patience ends. */
export function createPlaces(rules: PlaceRules): (id: string) => Promise<Place> {
  const room = createRoom(rules.most);
  const line = new Set<Waiting>();
  const release = (id: string) => {
    room.leave(id);
    for (const next of line) if (room.isFree(next.id)) next.admit();
  };
  const wait = (id: string) =>
    new Promise<void>((resolve, reject) => {
      const waiting = {
        id,
        admit() {
          clearTimeout(timer);
          line.delete(waiting);
          room.enter(id);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        line.delete(waiting);
        reject(new AppError('dependency_unavailable', 'Too many plugins are at work; try again'));
      }, rules.patienceMs);
      line.add(waiting);
    });
  const take = async (id: string) => (room.isFree(id) ? room.enter(id) : wait(id));
  return async (id) => {
    await take(id);
    return createPlace(
      () => take(id),
      () => release(id),
    );
  };
}

function createRoom(most: number) {
  const inside = new Map<string, number>();
  const share = Math.ceil(most / 4);
  let count = 0;
  return {
    isFree: (id: string) => count < most && (inside.get(id) ?? 0) < share,
    enter(id: string) {
      count += 1;
      inside.set(id, (inside.get(id) ?? 0) + 1);
    },
    leave(id: string) {
      count -= 1;
      const rest = (inside.get(id) ?? 0) - 1;
      if (rest > 0) inside.set(id, rest);
      else inside.delete(id);
    },
  };
}

function createPlace(take: () => Promise<void>, release: () => void): Place {
  let isHeld = true;
  let hasLeft = false;
  let returning: Promise<void> | undefined;
  const give = () => {
    if (isHeld) release();
    isHeld = false;
  };
  const comeBack = async () => {
    await take();
    isHeld = true;
    if (hasLeft) give();
  };
  return {
    async during(waiting) {
      give();
      try {
        return await waiting;
      } finally {
        if (!isHeld && !hasLeft) await (returning ??= comeBack().finally(() => (returning = undefined)));
      }
    },
    leave() {
      hasLeft = true;
      give();
    },
  };
}
