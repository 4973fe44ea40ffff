import { z } from 'zod';

/** What a job about one table, or about all of a site (null), is given. */
export const CareInput = z.object({ tableId: z.string().nullable() });
export type CareInput = z.infer<typeof CareInput>;
