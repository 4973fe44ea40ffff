/** File formats. `auto`: detected from the beginning of the file. */
export const importFormats = ['combined', 'common', 'vhost', 'json', 'umami', 'plausible', 'keywords'] as const;
export type ImportFormat = (typeof importFormats)[number];
export const isLog = (format: ImportFormat): boolean => !['umami', 'plausible', 'keywords'].includes(format);
/** Formats with figures by day or period, which never become visits; they have no import mode. */
export const isFigures = (format: ImportFormat | null): boolean => format === 'plausible' || format === 'keywords';
