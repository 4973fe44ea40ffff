import { useTranslation } from 'react-i18next';

/** A text of a theme or a site in the language of the interface, else in English, else in any. */
export function useTextIn(): (texts: Readonly<Record<string, string>> | undefined) => string {
  const { i18n } = useTranslation();
  const order = i18n.language.startsWith('zh') ? ['zh-Hans', 'zh', 'en'] : ['en'];
  return (texts = {}) =>
    order.map((language) => texts[language]).find((text) => text !== undefined && text !== '') ?? Object.values(texts).find((text) => text !== '') ?? '';
}
