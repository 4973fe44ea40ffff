import { useTranslation } from 'react-i18next';
import type { Words } from './noticesSlice';

type Say = (key: string, values?: Readonly<Record<string, string | number>>) => string;

/** A notice's words in the language of the interface, also when it was shown in another one. */
export function useNoticeWords(): (words: Words) => string {
  const { t } = useTranslation();
  // A notice's key is data, checked where it is made; the typed `t` cannot see it.
  const say = t as unknown as Say;
  return (words) => ('text' in words ? words.text : say(words.key, words.values));
}
