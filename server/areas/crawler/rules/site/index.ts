import type { RuleId } from '../../../../../contract/crawler/rules';
import type { Finding } from '../finding';
import type { SiteAudit, SiteRuleGroup } from './audit';
import { changeGroups } from './changes';
import { hostGroups } from './hosts';
import { imageGroups } from './images';
import { indexingGroups } from './indexing';
import { languageGroups } from './languages';
import { linkGroups } from './links';
import { redirectGroups } from './redirects';
import { sitemapGroups } from './sitemaps';
import { textGroups } from './texts';
import { vitalGroups } from './vitals';

const groups: readonly SiteRuleGroup[] = [
  ...linkGroups,
  ...redirectGroups,
  ...indexingGroups,
  ...sitemapGroups,
  ...textGroups,
  ...languageGroups,
  ...imageGroups,
  ...hostGroups,
  ...changeGroups,
  ...vitalGroups,
];

/** Rules that compare addresses. What they find at one page depends on others, so a run that read a part of the site cannot say that it is fixed. */
export const siteRuleIds: readonly RuleId[] = groups.flatMap(({ of }) => of);

const batchBytes = 256 * 1024;
const sizeOf = ({ subject, detail }: Finding): number => subject.length + JSON.stringify(detail).length + 100;

/** What the rules of the site find in a run whose pages, links and ranks are stored, in batches of about 256 kB. */
export async function* siteFindings(audit: SiteAudit): AsyncIterable<Finding[]> {
  let batch: Finding[] = [];
  let bytes = 0;
  for (const { of, run } of groups) {
    if (!of.some((rule) => audit.rules.isEnabled(rule))) continue;
    for await (const one of run(audit)) {
      if (!audit.rules.isEnabled(one.rule)) continue;
      batch.push(one);
      bytes += sizeOf(one);
      if (bytes < batchBytes) continue;
      yield batch;
      batch = [];
      bytes = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
