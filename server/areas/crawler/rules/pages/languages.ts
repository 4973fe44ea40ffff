import type { PageRuleGroup } from './group';

/** Scripts that a language is written in; languages that are not listed are written in Latin letters. */
const scripts: ReadonlyMap<string, readonly string[]> = new Map([
  ['ja', ['Jpan', 'Hans', 'Hant']],
  ['ko', ['Kore']],
  ['ru', ['Cyrl']],
  ['uk', ['Cyrl']],
  ['be', ['Cyrl']],
  ['bg', ['Cyrl']],
  ['mk', ['Cyrl']],
  ['mn', ['Cyrl', 'Mong']],
  ['kk', ['Cyrl', 'Latn', 'Arab']],
  ['ky', ['Cyrl']],
  ['tg', ['Cyrl']],
  ['sr', ['Cyrl', 'Latn']],
  ['ar', ['Arab']],
  ['fa', ['Arab']],
  ['ur', ['Arab']],
  ['ug', ['Arab']],
  ['ps', ['Arab']],
  ['he', ['Hebr']],
  ['el', ['Grek']],
  ['th', ['Thai']],
  ['hi', ['Deva']],
  ['mr', ['Deva']],
  ['ne', ['Deva']],
  ['bn', ['Beng']],
  ['ta', ['Taml']],
  ['te', ['Telu']],
  ['ka', ['Geor']],
  ['hy', ['Armn']],
  ['km', ['Khmr']],
  ['lo', ['Laoo']],
  ['my', ['Mymr']],
  ['am', ['Ethi']],
  ['bo', ['Tibt']],
]);
const traditional = /^zh-(?:.*-)?(?:hant|tw|hk|mo)\b/i;
const simplified = /^zh-(?:.*-)?(?:hans|cn|sg)\b/i;
const tag = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-[a-z0-9]{4,8})*$/i;

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

function scriptsOf(language: string): readonly string[] {
  const explicit = /-([a-z]{4})(?:-|$)/i.exec(language)?.[1];
  if (traditional.test(language)) return ['Hant'];
  if (simplified.test(language)) return ['Hans'];
  const main = language.split('-', 1)[0]?.toLowerCase() ?? '';
  if (main === 'zh' || main === 'yue') return ['Hans', 'Hant'];
  if (explicit !== undefined) return [explicit.charAt(0).toUpperCase() + explicit.slice(1).toLowerCase()];
  return scripts.get(main) ?? ['Latn'];
}

/** Whether search engines know a language code: ISO 639-1 with, optionally, a script or a region of ISO 3166-1. */
export function isLanguageCode(code: string): boolean {
  if (code.toLowerCase() === 'x-default') return true;
  if (!tag.test(code)) return false;
  const [main = '', ...rest] = code.split('-');
  const region = rest.find((part) => /^[a-z]{2}$/i.test(part))?.toUpperCase();
  return names.of(main) !== undefined && (region === undefined || (region !== 'UK' && regions.of(region) !== undefined));
}

export const languageRules: PageRuleGroup = ({ page, facts, isPage, isListed, report }) => {
  if (!isPage) return;
  const language = facts.htmlLanguage?.trim() ?? '';
  if (language === '') report('language_missing');
  else if (!tag.test(language)) report('language_wrong', { language, script: facts.script ?? '–' });
  else if (facts.script !== null && !scriptsOf(language).includes(facts.script)) report('language_wrong', { language, script: facts.script });

  const { hreflangs } = facts;
  if (hreflangs.length === 0) return;
  const wrong = hreflangs.find((one) => !isLanguageCode(one.language));
  if (wrong) report('hreflang_bad', { kind: 'code', language: wrong.language, url: wrong.url });
  if (!isListed) return;
  if (!hreflangs.some(({ url }) => url === page.url)) report('hreflang_no_self', { count: hreflangs.length });
  if (!hreflangs.some((one) => one.language.toLowerCase() === 'x-default')) report('hreflang_no_default', { count: hreflangs.length });
};
