/** What a file can be. `auto`: told from its beginning. */
export const importFormats = ['combined', 'common', 'vhost', 'json', 'umami', 'plausible', 'keywords'] as const;
export type ImportFormat = (typeof importFormats)[number];
export const isLog = (format: ImportFormat): boolean => !['umami', 'plausible', 'keywords'].includes(format);
/** Formats that bring figures of days or periods, which never become visits: nothing is decided about how they count. */
export const isFigures = (format: ImportFormat | null): boolean => format === 'plausible' || format === 'keywords';
