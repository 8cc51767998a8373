import * as z from 'zod';

export const CursorPaging = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(2000).optional(),
});
export type CursorPaging = z.output<typeof CursorPaging>;

export const cursorPageOf = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), next_cursor: z.string().nullable() });

export interface CursorPage<T> {
  readonly data: T[];
  readonly next_cursor: string | null;
}
