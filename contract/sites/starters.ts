/** Starters of sites that are built here, without zod. `blank`: nothing but a home page. */
export const starters = ['blank', 'company', 'blog', 'docs'] as const;
export type Starter = (typeof starters)[number];
