import type { PageFacts, PageLink } from '../../../../../contract/crawler/facts';
import type { ActiveRules } from '../../../../../contract/crawler/rules';
import type { AuditedPage, PageFinding } from '../finding';
import { addressRules } from './addresses';
import { canonicalRules } from './canonicals';
import { contentRules } from './content';
import { accessibilityRules, domRules, mobileRules } from './documents';
import type { PageRuleGroup } from './group';
import { httpRules } from './http';
import { imageRules } from './images';
import { indexingRules } from './indexing';
import { languageRules } from './languages';
import { linkRules } from './links';
import { redirectRules } from './redirects';
import { securityRules } from './security';
import { socialRules } from './social';
import { structuredDataRules } from './structuredData';
import { titleRules } from './titles';

const groups: readonly PageRuleGroup[] = [
  httpRules,
  redirectRules,
  linkRules,
  indexingRules,
  canonicalRules,
  titleRules,
  contentRules,
  languageRules,
  imageRules,
  structuredDataRules,
  socialRules,
  securityRules,
  addressRules,
  mobileRules,
  domRules,
  accessibilityRules,
];

/**
 * What the rules of pages find at one address, from its row, its facts and its links alone; at most one finding per rule. Pure: the engine calls it in its own
 * process, and a new audit with stored facts.
 */
export function pageFindings(page: AuditedPage, facts: PageFacts, links: readonly PageLink[], rules: ActiveRules): PageFinding[] {
  const findings: PageFinding[] = [];
  const isPage = page.internal && page.html && page.status === 200 && page.error === null;
  const input = {
    page,
    facts,
    links,
    rules,
    address: new URL(page.url),
    isPage,
    isListed: isPage && page.indexable,
    report: (...[rule, detail = {}, severity]: Parameters<Parameters<PageRuleGroup>[0]['report']>) => {
      if (rules.isEnabled(rule)) findings.push({ rule, severity: rules.severity(rule, severity), subject: '', detail });
    },
  };
  for (const group of groups) group(input);
  return findings;
}
