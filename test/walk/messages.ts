import coreEn, { namespaces as namespacesEn } from '../../src/i18n/core.en';
import coreZh, { namespaces as namespacesZh } from '../../src/i18n/core.zh-CN';
import openEn from '../../src/open/messages.en';
import openZh from '../../src/open/messages.zh-CN';
import openViewEn from '../../src/open/view/messages.en';
import openViewZh from '../../src/open/view/messages.zh-CN';
import publicReportsEn from '../../src/publicReports/messages.en';
import publicReportsZh from '../../src/publicReports/messages.zh-CN';
import signEn from '../../src/sign/messages.en';
import signZh from '../../src/sign/messages.zh-CN';

export type Language = 'zh-CN' | 'en';

/** The messages of the whole console: the texts that only one language has, and all keys. */
export type Catalog = { readonly only: Readonly<Record<Language, ReadonlySet<string>>>; readonly keys: ReadonlySet<string> };

type Loaders = Readonly<Record<string, () => Promise<{ readonly default: object }>>>;

function flatten(messages: object, prefix = ''): (readonly [key: string, text: string])[] {
  return Object.entries(messages).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value === 'string') return [[prefix + key, value] as const];
    return typeof value === 'object' && value !== null ? flatten(value, `${prefix}${key}.`) : [];
  });
}

async function loadMessages(pages: object, loaders: Loaders): Promise<(readonly [key: string, text: string])[]> {
  const namespaces = await Promise.all(Object.values(loaders).map(async (load) => (await load()).default));
  return [...Object.values(pages), ...namespaces].flatMap((messages: object) => flatten(messages));
}

export async function loadCatalog(): Promise<Catalog> {
  const chinese = await loadMessages({ ...coreZh, openZh, openViewZh, publicReportsZh, signZh }, namespacesZh);
  const english = await loadMessages({ ...coreEn, openEn, openViewEn, publicReportsEn, signEn }, namespacesEn);
  const [zhTexts, enTexts] = [new Set(chinese.map(([, text]) => text)), new Set(english.map(([, text]) => text))];
  return {
    only: { 'zh-CN': new Set([...zhTexts].filter((text) => !enTexts.has(text))), en: new Set([...enTexts].filter((text) => !zhTexts.has(text))) },
    keys: new Set(english.map(([key]) => key).filter((key) => key.includes('.'))),
  };
}
