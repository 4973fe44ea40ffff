/** Settings for search engines. */
export default { titles: 'Titles', separator: 'Between page and site' } as const;
