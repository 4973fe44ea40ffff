import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { FilingList } from '@contract/filings/schemas';
import { isNumbered } from '@contract/filings/states';
import { notifyFailure } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { CopyButton } from '@/ui/CopyButton';
import { Segmented } from '@/ui/form/Segmented';
import { RowList } from '@/ui/list/RowList';
import { Section } from '@/ui/Section';
import { Tag } from '@/ui/Tag';
import { useCheckFilingFooterMutation, useFilingSnippetQuery } from './filingsApi';
import { footerTones, nameOf, stateName, stateTones } from './filingStatus';

const cell = { py: 0.75, pr: 2, textAlign: 'start', whiteSpace: 'nowrap', borderBottom: 1, borderColor: 'divider' } as const;

/** What each domain has. */
export function DomainStrip({ domains }: Pick<FilingList, 'domains'>): ReactElement | null {
  const { t } = useTranslation('filings');
  if (domains.length === 0) return null;
  const kinds = (['icp', 'license', 'mps'] as const).filter((kind) => kind !== 'license' || domains.some((one) => one.license !== null));
  return (
    <Section title={t('domains.title')}>
      <Box sx={{ overflowX: 'auto' }} role="group" aria-label={t('domains.title')} tabIndex={0}>
        <Box component="table" sx={{ width: '100%', borderCollapse: 'collapse', fontSize: 'var(--text-body)' }}>
          <thead>
            <tr>
              <Box component="th" scope="col" sx={{ ...cell, color: 'text.secondary', fontWeight: 500 }}>
                {t('domains.domain')}
              </Box>
              {kinds.map((kind) => (
                <Box component="th" scope="col" key={kind} sx={{ ...cell, color: 'text.secondary', fontWeight: 500 }}>
                  {t(`kind.${kind}`)}
                </Box>
              ))}
            </tr>
          </thead>
          <tbody>
            {domains.map((one) => (
              <tr key={one.domain}>
                <Box component="th" scope="row" sx={{ ...cell, fontWeight: 400, whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
                  {one.unicode} {!one.served && <Tag>{t('domains.notServed')}</Tag>}
                </Box>
                {kinds.map((kind) => {
                  const state = one[kind];
                  return (
                    <Box component="td" key={kind} sx={cell}>
                      {state === null ? (
                        <Tag tone="warning">{t('domains.none')}</Tag>
                      ) : (
                        <Tag tone={stateTones[state]}>{t(`state.${stateName(state, kind)}`)}</Tag>
                      )}
                    </Box>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </Box>
      </Box>
    </Section>
  );
}

/** Deadlines of all filings of the site, the nearest first. */
export function NextSteps({ rows, today }: { readonly rows: FilingList['rows']; readonly today: string }): ReactElement | null {
  const { t } = useTranslation('filings');
  const format = useFormat();
  const deadlines = rows.flatMap((row) => row.deadlines.map((deadline) => ({ ...deadline, row }))).toSorted((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0));
  if (deadlines.length === 0) return null;
  return (
    <Section title={t('next.title')}>
      <RowList label={t('next.title')}>
        {deadlines.map(({ kind, on, overdue, row }) => (
          <Box
            component="li"
            key={`${row.id} ${kind}`}
            sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: 1, columnGap: 2, py: 1, borderBottom: 1, borderColor: 'divider' }}
          >
            <Typography variant="body2" sx={{ flex: '0 0 140px', fontVariantNumeric: 'tabular-nums' }}>
              {format.day(on, today)}
            </Typography>
            <Typography variant="body2" sx={{ flex: '1 1 240px', minWidth: 0, overflowWrap: 'anywhere' }}>
              {[t(`next.kind.${kind}`), ...(row.displayed === '' && row.serviceName === '' ? [] : [nameOf(row, '')])].join(' · ')}
            </Typography>
            {overdue && <Tag tone="bad">{t('next.overdue')}</Tag>}
          </Box>
        ))}
      </RowList>
    </Section>
  );
}

/** What the last check of the pages found, number by number, and a check now. */
export function FooterCheck({
  siteId,
  rows,
  mayChange,
}: {
  readonly siteId: string;
  readonly rows: FilingList['rows'];
  readonly mayChange: boolean;
}): ReactElement | null {
  const { t } = useTranslation('filings');
  const dispatch = useAppDispatch();
  const format = useFormat();
  const [check, { isLoading }] = useCheckFilingFooterMutation();
  const displayedFilings = rows.filter(({ kind, state, inFooter }) => inFooter && isNumbered(state) && kind !== 'app' && kind !== 'mini');
  if (displayedFilings.length === 0) return null;
  const checkNow = async (): Promise<void> => {
    const { error } = await check({ siteId });
    if (error !== undefined) notifyFailure(dispatch, error);
  };
  const action = mayChange && (
    <Button size="small" disabled={isLoading} onClick={() => void checkNow()}>
      {t(isLoading ? 'check.running' : 'check.now')}
    </Button>
  );
  return (
    <Section title={t('check.title')} note={t('check.note')} actions={action} dim={isLoading}>
      <RowList label={t('check.title')}>
        {displayedFilings.map(({ id, displayed, footer }) => (
          <Box component="li" key={id} sx={{ py: 1, borderBottom: 1, borderColor: 'divider', overflowWrap: 'anywhere' }}>
            <Typography variant="body2" component="div">
              {displayed} <Tag tone={footerTones[footer.state]}>{t(`footer.${footer.state}`)}</Tag>
            </Typography>
            <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
              {[
                t(`footerHelp.${footer.state}`),
                ...(footer.detail === '' ? [] : [t('check.found', { text: footer.detail })]),
                ...(footer.url === '' ? [] : [footer.url]),
                ...(footer.checkedAt === null ? [] : [format.relative(footer.checkedAt)]),
              ].join(' · ')}
            </Typography>
          </Box>
        ))}
      </RowList>
    </Section>
  );
}

/** The footer for pages that are hosted elsewhere. */
export function Snippet({ siteId, isBuilt }: { readonly siteId: string; readonly isBuilt: boolean }): ReactElement | null {
  const { t } = useTranslation('filings');
  const [format, setFormat] = useState<'html' | 'text'>('html');
  const { data } = useFilingSnippetQuery({ siteId, format });
  if (data === undefined || data.text === '') return null;
  return (
    <Section title={t('snippet.title')} note={t(isBuilt ? 'snippet.built' : 'snippet.external')}>
      <Box sx={{ display: 'grid', gap: 1, justifyItems: 'start' }}>
        <Segmented
          label={t('snippet.format')}
          choices={[
            { value: 'html', label: 'HTML' },
            { value: 'text', label: t('snippet.text') },
          ]}
          value={format}
          onChoose={setFormat}
        />
        <Box
          component="pre"
          tabIndex={0}
          aria-label={t('snippet.title')}
          sx={{
            m: 0,
            p: 1.5,
            width: '100%',
            boxSizing: 'border-box',
            bgcolor: 'action.hover',
            whiteSpace: 'pre-wrap',
            overflowWrap: 'anywhere',
            fontSize: 'var(--text-secondary)',
          }}
        >
          {data.text}
        </Box>
        <CopyButton text={data.text}>{t('snippet.copy')}</CopyButton>
      </Box>
    </Section>
  );
}
