import { z } from 'zod';

/** Maximum number of rows per page of a list. */
export const mostRows = 100;

/** Query parameters of every list (`?page=1&size=20`); numbers arrive as text. */
export const pageQuery = {
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  size: z.coerce.number().int().min(1).max(mostRows).default(20),
};

/** One page of rows and the total number of rows. */
export const Page = <T extends z.ZodType>(row: T) => z.object({ rows: z.array(row), total: z.int() });
