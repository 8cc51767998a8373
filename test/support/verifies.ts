import { test } from 'vitest';
import type { TestContext } from 'vitest';
import type { RequirementId } from '../requirements.ts';

type Ids = RequirementId | readonly RequirementId[];
type Body = (context: TestContext) => Promise<void> | void;

/** A test that proves requirements; their ids stand in its title. */
export function verifies(ids: Ids, title: string, body: Body, timeout?: number): void {
  test(titled(ids, title), body, timeout);
}

/** Like `verifies`, for a proof that needs something the machine may lack; under CI the lack is a failure. */
export function verifiesWhen(available: boolean, why: string, ...proof: Parameters<typeof verifies>): void {
  const [ids, title] = proof;
  if (available) return verifies(...proof);
  if (process.env.CI === 'true') {
    return test(titled(ids, title), () => {
      throw new Error(`Not proved, because ${why}`);
    });
  }
  console.warn(`SKIPPED, because ${why}: ${titled(ids, title)}`);
  test(titled(ids, title), ({ skip }) => skip(why));
}

const titled = (ids: Ids, title: string) => `${title} [${[ids].flat().join(', ')}]`;
