import { z } from 'zod';

/** Most rows of one page of a list. */
export const mostRows = 100;

/** `?page=1&size=20` of every list; numbers arrive as text. */
export const pageQuery = {
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  size: z.coerce.number().int().min(1).max(mostRows).default(20),
};

/** One page of rows and how many there are in all. */
export const Page = <T extends z.ZodType>(row: T) => z.object({ rows: z.array(row), total: z.int() });
