/** Rows of one page of a link to a view, and how far its pages go; what lies behind can be searched for, or taken along as a file. Without zod: a guest's page knows it. */
export const openViewLimits = { page: 100, rows: 10_000 } as const;
