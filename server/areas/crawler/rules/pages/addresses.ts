import { checkLanguageTag } from '../../../../../contract/languages/tags';
import type { PageRuleGroup } from './group';

const decoded = (path: string): string => {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
};

const isCanonical = (tag: string): boolean => Intl.getCanonicalLocales(tag)[0] === tag;

/** The path after a language such as `/zh-Hans`, whose capitals the standard of language tags prescribes. */
function withoutLanguage(path: string): string {
  const [, first = ''] = path.split('/', 2);
  return checkLanguageTag(first).error === null && isCanonical(first) ? path.slice(first.length + 1) : path;
}

export const addressRules: PageRuleGroup = ({ page, rules, address, isPage, report }) => {
  if (!isPage) return;
  const path = decoded(address.pathname);
  const longest = rules.parameter('url_long', 'characters');
  const { length } = decoded(page.url);
  if (length > longest) report('url_long', { count: length, limit: longest });
  if (/[A-Z]/.test(path) && /[A-Z]/.test(withoutLanguage(path))) report('url_case');
  if (path.includes('_')) report('url_underscore');
  const most = rules.parameter('url_parameters', 'parameters');
  const count = [...address.searchParams.keys()].length;
  if (count > most) report('url_parameters', { count, limit: most });
  if (path.includes('//')) report('url_slashes');
  if (/\s/.test(path)) report('url_space');
};
