import { escapeHtml } from '../kit/text/escapeHtml';
import { nameOfLanguage } from '../areas/languages/list';
import type { PageFacts } from './content/pageData';
import type { PageContext } from './edition';

/** Where pages load the script that offers visitors their language. */
export const offerPath = '/_l/offer.js';

/** What visitors read, in the language that is offered: the link to the page, and how to dismiss it. */
type Offer = readonly [link: string, dismiss: string];
const offers: Readonly<Record<string, Offer>> = {
  'zh-Hans': ['用简体中文阅读本页', '关闭'],
  'zh-Hant': ['以繁體中文閱讀本頁', '關閉'],
  en: ['Read this page in English', 'Close'],
  ja: ['このページを日本語で読む', '閉じる'],
  ko: ['이 페이지를 한국어로 읽기', '닫기'],
  fr: ['Lire cette page en français', 'Fermer'],
  de: ['Diese Seite auf Deutsch lesen', 'Schließen'],
  es: ['Leer esta página en español', 'Cerrar'],
  pt: ['Ler esta página em português', 'Fechar'],
  ru: ['Читать эту страницу на русском языке', 'Закрыть'],
};
const offerIn = (language: string): Offer => offers[language] ?? offers[language.split('-', 1)[0] ?? ''] ?? [nameOfLanguage(language), '×'];

/** The script element of a page that exists in other languages; none if visitors are not offered theirs. */
export function offerTag(context: PageContext, { contentLanguage: language, alternates }: Pick<PageFacts, 'contentLanguage' | 'alternates'>): string[] {
  if (context.release.languageRules.suggestion !== 'banner' || context.preview || alternates.size < 2) return [];
  const rows = [...alternates].map(([tag, href]) => (tag === language ? { tag } : { tag, href, text: offerIn(tag) }));
  return [`<script defer src="${offerPath}" data-language="${language}" data-offers="${escapeHtml(JSON.stringify(rows))}"></script>`];
}

/**
 * Offers the first language of the browser in which the page exists, by the rule of `preferredLanguage`. Who dismisses the offer does not see it again. Styles are set one by one,
 * because the policy of pages refuses style attributes.
 */
export const offerScript = `(() => {
  const { language, offers } = document.currentScript.dataset;
  const key = 'language-offer';
  try {
    if (localStorage.getItem(key) === 'dismissed') return;
  } catch {}
  const rows = JSON.parse(offers);
  const at = (name) => rows.find(({ tag }) => tag.toLowerCase() === name);
  const fitting = (range) => {
    const known = /^zh-(?:tw|hk|mo)\\b/.test(range) ? 'zh-hant' : range.startsWith('zh-') && !range.startsWith('zh-hant') ? 'zh-hans' : range;
    for (const first of [range, known])
      for (let name = first; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('-')))) if (at(name)) return at(name);
    return range === 'zh' ? at('zh-hans') : undefined;
  };
  const row = navigator.languages.map((one) => fitting(one.toLowerCase())).find(Boolean);
  if (!row || row.tag === language) return;
  const bar = document.createElement('div');
  const link = document.createElement('a');
  const button = document.createElement('button');
  const [text, dismiss] = row.text;
  bar.lang = row.tag;
  link.href = row.href;
  link.hreflang = row.tag;
  link.textContent = text;
  button.type = 'button';
  button.textContent = dismiss;
  const { body } = document;
  const padding = body.style.paddingBottom;
  button.onclick = () => {
    bar.remove();
    body.style.paddingBottom = padding;
    try {
      localStorage.setItem(key, 'dismissed');
    } catch {}
  };
  const style = (element, values) => Object.assign(element.style, values);
  style(bar, { position: 'fixed', zIndex: '9999', insetInline: '16px', bottom: '16px', display: 'flex', flexWrap: 'wrap', gap: '8px 16px', alignItems: 'center', justifyContent: 'center', width: 'fit-content', maxWidth: 'calc(100% - 32px)', boxSizing: 'border-box', margin: '0 auto', padding: '8px 16px', borderRadius: '8px', background: '#1f2328', color: '#fff', boxShadow: '0 2px 12px rgb(0 0 0 / 30%)' });
  style(link, { color: 'inherit', padding: '10px 0' });
  style(button, { font: 'inherit', color: 'inherit', background: 'transparent', border: '1px solid currentColor', borderRadius: '6px', minHeight: '44px', padding: '0 12px', cursor: 'pointer' });
  bar.append(link, button);
  body.append(bar);
  // The end of the page, with the numbers of filings, is not hidden behind the bar.
  body.style.paddingBottom = bar.offsetHeight + 32 + 'px';
})();
`;
