import * as z from 'zod';

/** What a schedule sends when its time has come. */
export const Tick = z.object({
  tenant: z.string(),
  workflow_id: z.string(),
  trigger_id: z.string(),
  /** Of the trigger when the schedule was saved. */
  revision: z.int(),
  saved_at: z.int(),
  scheduled_at: z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
});
export type Tick = z.output<typeof Tick>;
export type TickInput = z.input<typeof Tick>;
