import * as z from 'zod';

/** How a list is asked for: a page size and where the last page ended. */
export const Paging = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  nextToken: z.string().max(2000).optional(),
});
export type Paging = z.output<typeof Paging>;

/** How it is answered; the token is null on the last page. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), nextToken: z.string().nullable() });
