import { textAlong } from '@contract/languages/fallback';
import { canonicalLanguage } from '@contract/languages';

type Texts = Readonly<Record<string, string>>;

/**
 * A text of a theme or a site for a reader: in their language, else in the same one of another script or region, else in English, else in any. Empty texts
 * do not count.
 */
export const textIn = (texts: Texts | undefined, locale: string): string => textAlong(texts ?? {}, [canonicalLanguage(locale), 'en']) ?? '';
