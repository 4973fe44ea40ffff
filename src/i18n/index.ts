import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { rememberPreferences } from '@/lib/preferences';
import type { UiLocale } from '@/lib/preferences';
import type { Load, Namespace } from './namespaces';

/** The only instance. Its language is the language of the interface; all number and date formatting follows it. */
export const i18n = i18next.createInstance();

/** Messages of the frame, and the loaders of the pages' messages. */
type Core = { readonly default: object; readonly namespaces: Readonly<Record<Namespace, Load>> };
const core: Record<UiLocale, () => Promise<Core>> = {
  'zh-CN': () => import(/* webpackChunkName: "messages-core-zh" */ './core.zh-CN'),
  en: () => import(/* webpackChunkName: "messages-core-en" */ './core.en'),
};

const requestedNamespaces = new Set<Namespace>();

async function addCore(locale: UiLocale): Promise<void> {
  const { default: messages } = await core[locale]();
  for (const [name, bundle] of Object.entries(messages)) i18n.addResourceBundle(locale, name, bundle as object);
}

async function addNamespace(name: Namespace, locale: UiLocale): Promise<void> {
  if (i18n.hasResourceBundle(locale, name)) return;
  // A page may be loading before the messages of the frame have loaded.
  const { namespaces } = await core[locale]();
  i18n.addResourceBundle(locale, name, (await namespaces[name]()).default);
}

export const currentLocale = (): UiLocale => (i18n.language === 'en' ? 'en' : 'zh-CN');

/** Loads a page's messages; called in parallel with the page's code, so that nothing renders without them. */
export async function ensureMessages(names: readonly Namespace[] = []): Promise<void> {
  for (const name of names) requestedNamespaces.add(name);
  await Promise.all(names.map((name) => addNamespace(name, currentLocale())));
}

/** A part together with its messages. */
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

/** Changes the language of the page: messages are loaded before anything re-renders. Stored in this browser. */
export async function changeLocale(locale: UiLocale): Promise<void> {
  rememberPreferences({ locale });
  if (locale === currentLocale()) return;
  await addCore(locale);
  // A page that loads meanwhile requests its messages in the old language: load those in the new one too.
  for (let loadedCount = -1; loadedCount !== requestedNamespaces.size;) {
    loadedCount = requestedNamespaces.size;
    await Promise.all([...requestedNamespaces].map((name) => addNamespace(name, locale)));
  }
  await i18n.changeLanguage(locale);
  follow(locale);
}
