import type { FlatNamespace, TFunction } from 'i18next';
import { useSyncExternalStore } from 'react';
import { getI18n } from 'react-i18next';

const subscribe = (onChange: () => void): (() => void) => {
  const i18n = getI18n();
  i18n.on('languageChanged', onChange);
  return () => i18n.off('languageChanged', onChange);
};
const languageNow = (): string => getI18n().language;

/** The language of the interface. */
export const useLanguage = (): string => useSyncExternalStore(subscribe, languageNow);

const functions = new Map<string, TFunction>();

/**
 * The texts of a namespace that is loaded, for parts of which a list has hundreds: `useTranslation` copies its whole instance for each of them, which takes longer
 * than everything else that such a part does.
 */
export function useTexts<N extends FlatNamespace>(namespace: N): TFunction<N> {
  const language = useLanguage();
  const key = `${language} ${namespace}`;
  const known = functions.get(key) ?? (getI18n().getFixedT(language, namespace) as unknown as TFunction);
  functions.set(key, known);
  return known as unknown as TFunction<N>;
}
