import type { PageRuleGroup } from './group';

const decoded = (path: string): string => {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
};

export const addressRules: PageRuleGroup = ({ page, rules, address, isPage, report }) => {
  if (!isPage) return;
  const path = decoded(address.pathname);
  const longest = rules.parameter('url_long', 'characters');
  const { length } = decoded(page.url);
  if (length > longest) report('url_long', { count: length, limit: longest });
  if (/[A-Z]/.test(path)) report('url_case');
  if (path.includes('_')) report('url_underscore');
  const most = rules.parameter('url_parameters', 'parameters');
  const count = [...address.searchParams.keys()].length;
  if (count > most) report('url_parameters', { count, limit: most });
  if (path.includes('//')) report('url_slashes');
  if (/\s/.test(path)) report('url_space');
};
