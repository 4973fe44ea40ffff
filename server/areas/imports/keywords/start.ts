import type { ImportPreview } from '../../../../contract/imports/schemas';
import { keywordLimits } from '../../../../contract/imports/keywords';
import type { KeywordPeriod } from '../../../../contract/imports/keywords';
import { fail, failField } from '../../../http/failure';
import type { Day } from '../../../zone';

/** Engine and period of an import to start; throws if one is missing or there is nothing to import. `total`: bytes of the files. */
export function periodToStart(preview: Pick<ImportPreview, 'keywords' | 'sample'> | null, total: number, today: Day): KeywordPeriod {
  if (total > keywordLimits.bytes) fail('too_large');
  const keywords = preview?.keywords ?? null;
  if (preview === null || keywords === null || preview.sample.accepted === 0) return failField('format', 'unknown');
  const { engine, from, to, dated } = keywords;
  if (engine === null) return failField('engine', 'required');
  if (from === null) return failField('from', 'required');
  if (to === null) return failField('to', 'required');
  if (from < '2000-01-01' || from > to) failField('from', 'out_of_range');
  if (to > today) failField('to', 'out_of_range');
  return { engine, from, to, dated };
}
