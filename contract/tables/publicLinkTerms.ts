/** Rows per page of a view link, and the last row that pages reach; the rest can be searched or downloaded. Without zod, to keep the public page small. */
export const openViewLimits = { page: 100, rows: 10_000 } as const;
