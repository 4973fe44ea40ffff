import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CountryRuleVersion } from '@contract/countryBlock/schemas';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { ListContent } from '@/ui/list/ListContent';
import { RowList } from '@/ui/list/RowList';
import { Pager } from '@/ui/Pager';
import { Tag } from '@/ui/Tag';
import { useCountryRuleVersionsQuery, useRestoreCountryRuleMutation } from './countryBlockApi';
import { useAccepted } from './useRuleForm';
import { useRuleSummary } from './useRuleSummary';

function Version({
  row,
  isCurrent,
  timeZone,
  onRestore,
}: {
  readonly row: CountryRuleVersion;
  readonly isCurrent: boolean;
  readonly timeZone: string;
  readonly onRestore: (() => void) | null;
}): ReactElement {
  const { t } = useTranslation('countryBlock');
  const format = useFormat();
  const summary = useRuleSummary();
  return (
    <Box component="li" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', py: 1.5, borderBottom: 1, borderColor: 'divider' }}>
      <Box sx={{ flex: '1 1 240px', minWidth: 0, overflowWrap: 'anywhere' }}>
        <Typography variant="body2" sx={{ fontWeight: 500 }}>
          {t('versions.number', { number: row.version })} {isCurrent && <Tag tone="good">{t('versions.current')}</Tag>}
        </Typography>
        <Typography variant="body2">{summary(row.rule)}</Typography>
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {[format.dateTime(row.at, { timeZone }), row.by ?? t('versions.nobody'), row.note].filter((part) => part !== '').join(' · ')}
        </Typography>
      </Box>
      {onRestore && !isCurrent && (
        <Button variant="outlined" aria-label={t('versions.restoreOf', { number: row.version })} onClick={onRestore}>
          {t('versions.restore')}
        </Button>
      )}
    </Box>
  );
}

const size = 20;

/** Earlier versions of the rule; each can be saved again with one click. */
export function VersionList({ site, current }: { readonly site: Site; readonly current: number }): ReactElement {
  const { t } = useTranslation('countryBlock');
  const dispatch = useAppDispatch();
  const [page, setPage] = useState(1);
  const result = useCountryRuleVersionsQuery({ siteId: site.id, page, size });
  const [restore] = useRestoreCountryRuleMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const accept = useAccepted();
  const restoreVersion = async (version: number): Promise<void> => {
    setFailure(null);
    const restored = await accept((accepted) => restore({ siteId: site.id, version, body: { accepted } }));
    if (restored?.data) dispatch(noticeShown({ tone: 'good', message: { key: 'countryBlock:restored', values: { number: version } } }));
    else if (isFailure(restored?.error)) setFailure(restored.error);
  };
  const mayChange = mayOnSite(site.role, 'site.compose');
  return (
    <Box sx={{ mt: 2, maxWidth: 960 }}>
      {failure && <ErrorPanel failure={failure} title={t('failed')} />}
      <ListContent result={result} rowsOf={({ rows }) => rows} empty={<EmptyState ghost="rows" title={t('versions.empty')} />}>
        {(rows, { total }) => (
          <>
            <RowList label={t('part.versions')}>
              {rows.map((row) => (
                <Version
                  key={row.version}
                  row={row}
                  isCurrent={row.version === current}
                  timeZone={site.timeZone}
                  onRestore={mayChange ? () => void restoreVersion(row.version) : null}
                />
              ))}
            </RowList>
            <Pager page={page} size={size} count={total} sizes={[size]} onPage={setPage} onSize={() => undefined} />
          </>
        )}
      </ListContent>
    </Box>
  );
}
