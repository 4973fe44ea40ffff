import type { KeywordQuery, KeywordReport } from '@contract/imports/keywords';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { keywordExportAddress } from '@/features/imports/importsApi';
import { publicLinkSecret } from '@/lib/publicLink';
import { href } from '@/routes/paths';
import { isFailure } from '@/lib/failure';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { BlockState } from './BlockState';
import type { BlockProps, LazyBlock } from './blocks';
import { ImportInvitation, KeywordRemarks, OutsideRange, type Period } from './KeywordNotes';
import { KeywordTable } from './KeywordTable';
import { useKeywordList } from './useKeywordList';
import { useLabels } from './useLabels';

/** Figures counted by search engines, from imported reports. Visit filters cannot apply to them: with filters nothing is shown. */
const ReportedKeywordsBlock: LazyBlock<'reportedKeywords'> = (props): ReactElement | null => {
  const { state, own } = props;
  // Public links do not show imports.
  if (own.length > 0 || state.segment.length > 0 || publicLinkSecret !== null) return null;
  return <Reported {...props} />;
};

const Reported = ({ site, state, change }: BlockProps): ReactElement | null => {
  const { t } = useLabels();
  const list = useKeywordList(site.id, state);
  const { currentData, error } = list.result;
  // Without permission to read them, as behind a public link, the failure is not shown.
  if (currentData === undefined && isFailure(error) && (error.status === 403 || error.status === 404)) return null;
  if (currentData?.imported.length === 0 && !mayOnSite(site.role, 'analytics.configure')) return null;
  const name = t('blocks.reportedKeywords.title');
  const show = ({ from, to }: Period): void => change({ preset: 'custom', range: { from, to }, gran: null });
  return (
    <Section
      title={name}
      note={t('blocks.reportedKeywords.note')}
      actions={currentData !== undefined && currentData.imported.length > 0 && <KeywordActions site={site} report={currentData} query={list.query} />}
    >
      <BlockState name={name} result={list.result} skeleton={<RowsSkeleton rows={6} />}>
        {(report) => {
          if (report.imported.length === 0) return <ImportInvitation imports={importsOf(site)} />;
          if (report.coverage.length === 0 && report.partial.length === 0) return <OutsideRange periods={report.imported} onShow={show} />;
          return (
            <>
              <KeywordRemarks report={report} engine={list.engine} onShow={show} />
              {report.coverage.length > 0 && <KeywordTable list={list} report={report} />}
            </>
          );
        }}
      </BlockState>
    </Section>
  );
};

const importsOf = (site: Site): string => href('site.setting.imports', { siteId: site.id });

const KeywordActions = ({ site, report, query }: { readonly site: Site; readonly report: KeywordReport; readonly query: KeywordQuery }): ReactElement => {
  const { t } = useLabels();
  return (
    <>
      {mayOnSite(site.role, 'analytics.configure') && (
        <Button size="small" component={Link} to={importsOf(site)}>
          {t('blocks.reportedKeywords.manage')}
        </Button>
      )}
      {report.rowCount > 0 && mayOnSite(site.role, 'analytics.export') && (
        <>
          <Button size="small" component="a" href={keywordExportAddress(site.id, query, 'csv')} download>
            {t('controls.csv')}
          </Button>
          <Button size="small" component="a" href={keywordExportAddress(site.id, query, 'json')} download>
            {t('controls.json')}
          </Button>
        </>
      )}
    </>
  );
};

export default ReportedKeywordsBlock;
