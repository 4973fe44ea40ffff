import { canonicalLanguage } from '@contract/languages';

type Texts = Readonly<Record<string, string>>;

/**
 * A text of a theme or a site for a reader: in their language, else in the same one of another script or region, else in English, else in any. Empty texts
 * do not count.
 */
export function textIn(texts: Texts | undefined, locale: string): string {
  const written = Object.entries(texts ?? {}).filter(([, text]) => text !== '');
  const [language] = locale.split('-');
  const fits: readonly ((tag: string) => boolean)[] = [
    (tag) => tag === canonicalLanguage(locale),
    (tag) => tag.split('-')[0] === language,
    (tag) => tag === 'en',
    () => true,
  ];
  for (const isFitting of fits) {
    const found = written.find(([tag]) => isFitting(tag));
    if (found) return found[1];
  }
  return '';
}
