import { z } from 'zod';

/** Input of a job for one table, or all tables of a site (null). */
export const MaintenanceInput = z.object({ tableId: z.string().nullable() });
export type MaintenanceInput = z.infer<typeof MaintenanceInput>;
