import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { remove, upload, type Uploaded } from '../../plugins/support/plugin.ts';
import { write } from './page.ts';

/**
 * A pipe that does what the question says: `emit` an event, `ask` and tell the answer, `say` text, or `hold` until the
 * page lets it go on. An operator has uploaded it, as any plugin.
 */
const SOURCE = `export const plugin = definePlugin({
  name: 'Stage',
  async *pipe(body, { emit, ask }) {
    for (const step of JSON.parse(body.messages.at(-1).content)) {
      if (step.emit) await emit(step.emit);
      if (step.hold) await ask({ type: 'execute', data: { code: 'await new Promise((go) => { window.go = go; })' } });
      if (step.ask) yield 'answer: ' + JSON.stringify(await ask(step.ask)) + '\\n\\n';
      if (step.say) yield step.say;
    }
  },
});`;

export type Step =
  | { readonly emit: { readonly type: string; readonly data: unknown } }
  | { readonly ask: { readonly type: string; readonly data: unknown } }
  | { readonly say: string }
  | { readonly hold: true };

export const HOLD: Step = { hold: true };
export const emit = (type: string, data: unknown): Step => ({ emit: { type, data } });
export const ask = (type: string, data: unknown): Step => ({ ask: { type, data } });
export const say = (text: string): Step => ({ say: text });

/** Uploads the pipe for the tests of this file. */
export function useStage() {
  let uploaded: Uploaded | undefined;
  beforeAll(async () => {
    uploaded = await upload(SOURCE);
  });
  afterAll(async () => {
    if (uploaded) await remove(uploaded);
  });
  return {
    /** Has the pipe play these steps as the answer to a new question. */
    async play(page: Page, steps: readonly Step[]) {
      await page.getByLabel('Model').selectOption(uploaded?.id ?? '');
      await write(page, JSON.stringify(steps));
    },
  };
}

/** Waits until the pipe holds, and lets it go on. */
export async function release(page: Page) {
  await untilHeld(page);
  await page.evaluate('window.go(), delete window.go');
}

export const untilHeld = async (page: Page) => void (await page.waitForFunction('window.go !== undefined'));
