import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { rememberPreferences } from '@/lib/preferences';
import type { UiLocale } from '@/lib/preferences';
import type { Load, Namespace } from './namespaces';

/** The one instance. Its language is the language of the interface; everything that writes numbers and dates follows it. */
export const i18n = i18next.createInstance();

/** Words of the frame, and where those of pages are. */
type Core = { readonly default: object; readonly namespaces: Readonly<Record<Namespace, Load>> };
const core: Record<UiLocale, () => Promise<Core>> = {
  'zh-CN': () => import(/* webpackChunkName: "messages-core-zh" */ './core.zh-CN'),
  en: () => import(/* webpackChunkName: "messages-core-en" */ './core.en'),
};

const wanted = new Set<Namespace>();

async function addCore(locale: UiLocale): Promise<void> {
  const { default: messages } = await core[locale]();
  for (const [name, words] of Object.entries(messages)) i18n.addResourceBundle(locale, name, words as object);
}

async function addNamespace(name: Namespace, locale: UiLocale): Promise<void> {
  if (i18n.hasResourceBundle(locale, name)) return;
  // A page may be on its way before the words of the frame have come.
  const { namespaces } = await core[locale]();
  i18n.addResourceBundle(locale, name, (await namespaces[name]()).default);
}

export const currentLocale = (): UiLocale => (i18n.language === 'en' ? 'en' : 'zh-CN');

/** Loads a page's words; called beside the page's own code, so that nothing is drawn without them. */
export async function ensureMessages(names: readonly Namespace[] = []): Promise<void> {
  for (const name of names) wanted.add(name);
  await Promise.all(names.map((name) => addNamespace(name, currentLocale())));
}

/** A part together with the words that it needs. */
export const withMessages = async <T>(part: Promise<T>, names: readonly Namespace[]): Promise<T> => (await Promise.all([part, ensureMessages(names)]))[0];

function follow(locale: UiLocale): void {
  document.documentElement.lang = locale;
}

export async function startI18n(locale: UiLocale): Promise<void> {
  await i18n.use(initReactI18next).init({
    lng: locale,
    fallbackLng: false,
    resources: {},
    defaultNS: 'shell',
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
    returnNull: false,
  });
  await addCore(locale);
  follow(locale);
}

/** Changes the language on the page: words are there before anything is drawn anew. Remembered in this browser. */
export async function changeLocale(locale: UiLocale): Promise<void> {
  rememberPreferences({ locale });
  if (locale === currentLocale()) return;
  await addCore(locale);
  // A page that comes meanwhile asks for its words in the old language: those are fetched in the new one too.
  for (let asked = -1; asked !== wanted.size;) {
    asked = wanted.size;
    await Promise.all([...wanted].map((name) => addNamespace(name, locale)));
  }
  await i18n.changeLanguage(locale);
  follow(locale);
}
