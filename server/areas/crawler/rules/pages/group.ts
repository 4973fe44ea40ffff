import type { ActiveRules, RuleId } from '../../../../../contract/crawler/rules';
import type { Severity } from '../../../../../contract/crawler/terms';
import type { PageFacts, PageLink } from '../../../../../contract/crawler/facts';
import { cut } from '../../engine/textMeasures';
import type { AuditedPage, FindingDetail } from '../finding';

export type PageRuleInput = {
  readonly page: AuditedPage;
  readonly facts: PageFacts;
  readonly links: readonly PageLink[];
  readonly rules: ActiveRules;
  /** Parsed once for all groups. */
  readonly address: URL;
  /** An HTML page of the site that answered 200. */
  readonly isPage: boolean;
  /** Such a page that search engines may list. */
  readonly isListed: boolean;
  /** `severity`: unless the crawler sets another one. */
  readonly report: (rule: RuleId, detail?: FindingDetail, severity?: Severity) => void;
};

/** Rules of one group: reports what they find. */
export type PageRuleGroup = (input: PageRuleInput) => void;

/** Values in details appear in lists, so longer ones are cut. */
export const shortened = (text: string, length = 200): string => (text.length > length ? `${cut(text, length - 1)}…` : text);
