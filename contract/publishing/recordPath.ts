/** The path of a record by the pattern of its route (`/blog/{slug}`). */
export const pathOfRecord = (pattern: string, slug: string): string => pattern.replace('{slug}', () => slug);
