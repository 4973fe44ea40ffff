import { shortened } from './group';
import type { PageRuleGroup } from './group';

/** Labels of one encoding, as browsers decode them. */
const sameEncoding: ReadonlyMap<string, string> = new Map([
  ['utf8', 'utf-8'],
  ['gb2312', 'gb18030'],
  ['gbk', 'gb18030'],
  ['x-gbk', 'gb18030'],
  ['iso-8859-1', 'windows-1252'],
  ['latin1', 'windows-1252'],
  ['us-ascii', 'windows-1252'],
  ['ascii', 'windows-1252'],
]);
const encodingOf = (label: string): string => {
  const lower = label.trim().toLowerCase();
  return sameEncoding.get(lower) ?? lower;
};

export const contentRules: PageRuleGroup = ({ page, facts, rules, isPage, isListed, report }) => {
  if (!isPage) return;
  const { charset } = facts;
  if (charset.mojibake || charset.replacements > 0) report('content_mojibake', { count: charset.replacements, excerpt: shortened(facts.excerpt, 80) });
  const differs = charset.header !== null && charset.meta !== null && encodingOf(charset.header) !== encodingOf(charset.meta);
  if (differs) report('content_charset', { kind: 'header', header: charset.header ?? '', meta: charset.meta ?? '' });
  else if (charset.wrong) report('content_charset', { kind: 'bytes', header: charset.header ?? charset.meta ?? charset.used, meta: charset.used });
  if (facts.needsScripts) report('content_needs_scripts');
  const least = rules.parameter('content_thin', 'units');
  if (isListed && !facts.needsScripts && page.units < least) report('content_thin', { units: page.units, limit: least });
};
