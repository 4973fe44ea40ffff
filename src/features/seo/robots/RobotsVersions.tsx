import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { RobotsVersion } from '@contract/seo/robotsSchemas';
import type { Site } from '@contract/sites/schemas';
import { useFormat } from '@/lib/format';
import { DataTable } from '@/ui/DataTable';
import { PagedList } from '@/ui/list/PagedList';
import { Section } from '@/ui/Section';
import type { Column } from '@/ui/tableColumns';
import { useRobotsVersionsQuery } from './robotsApi';

type Props = { readonly site: Site; readonly current: number; readonly onRestore: ((version: RobotsVersion) => void) | null };

/** Earlier robots.txt with what each changed; any of them can be saved again. */
export function RobotsVersions({ site, current, onRestore }: Props): ReactElement {
  const { t } = useTranslation('seo');
  const format = useFormat();
  const [paging, setPaging] = useState({ page: 1, size: 20 });
  const result = useRobotsVersionsQuery({ siteId: site.id, ...paging });
  const columns: readonly Column<RobotsVersion>[] = [
    { id: 'version', name: t('robots.version'), width: 90, cell: ({ version }) => (version === current ? t('robots.inUse', { version }) : String(version)) },
    { id: 'at', name: t('robots.at'), minWidth: 150, cell: ({ at }) => format.dateTime(at, { timeZone: site.timeZone }) },
    { id: 'by', name: t('robots.by'), cell: ({ by }) => by ?? '–' },
    {
      id: 'effect',
      name: t('robots.effect'),
      cell: ({ blocked, opened }) =>
        blocked === null || opened === null
          ? t('robots.notCompared')
          : t('robots.closedOpened', { blocked: format.number(blocked), opened: format.number(opened) }),
    },
    { id: 'note', name: t('robots.note'), fills: true, cell: ({ note }) => note },
  ];
  return (
    <Section title={t('robots.versions')}>
      <PagedList
        result={result}
        paging={{ ...paging, onPage: (page) => setPaging({ ...paging, page }), onSize: (size) => setPaging({ page: 1, size }) }}
        empty={<p>{t('robots.noVersions')}</p>}
        skeletonRows={3}
      >
        {(rows) => (
          <DataTable
            label={t('robots.versions')}
            columns={columns}
            rows={rows}
            rowKey={({ version }) => String(version)}
            dense
            detail={({ text }) => <pre className="robots-file">{text === '' ? t('robots.emptyFile') : text}</pre>}
            {...(onRestore
              ? {
                  actions: (row: RobotsVersion) =>
                    row.version === current ? null : (
                      <Button size="small" aria-label={t('robots.restoreOf', { version: row.version })} onClick={() => onRestore(row)}>
                        {t('robots.restore')}
                      </Button>
                    ),
                }
              : {})}
          />
        )}
      </PagedList>
    </Section>
  );
}
