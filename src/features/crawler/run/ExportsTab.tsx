import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CrawlRunDetail } from '@contract/crawler/schemas';
import { RowList } from '@/ui/list/RowList';
import { exportAddress } from '../crawlerApi';

const tableFormats = ['csv', 'jsonl', 'xlsx'] as const;
const names = { csv: 'CSV', jsonl: 'JSON Lines', xlsx: 'XLSX', xml: 'XML', warc: 'WARC' } as const;

type Row = {
  readonly key: string;
  readonly title: string;
  readonly text: string;
  readonly files: readonly { readonly format: keyof typeof names; readonly address: string }[];
};

/** Everything of a run that can be downloaded. */
export function ExportsTab({ run }: { readonly run: CrawlRunDetail }): ReactElement {
  const { t } = useTranslation('crawler');
  const file = (what: 'pages' | 'issues' | 'rows' | 'sitemap' | 'warc', format: keyof typeof names, extraction?: string) => ({
    format,
    address: exportAddress({ crawlRunId: run.id, what, format, ...(extraction !== undefined && { extraction }) }),
  });
  const rows: readonly Row[] = [
    { key: 'pages', title: t('exports.pages'), text: t('exports.pagesText'), files: tableFormats.map((format) => file('pages', format)) },
    { key: 'issues', title: t('exports.issues'), text: t('exports.issuesText'), files: tableFormats.map((format) => file('issues', format)) },
    ...run.rows.map(({ extraction }) => ({
      key: `rows ${extraction}`,
      title: extraction,
      text: t('exports.rowsText'),
      files: tableFormats.map((format) => file('rows', format, extraction)),
    })),
    { key: 'sitemap', title: t('exports.sitemap'), text: t('exports.sitemapText'), files: [file('sitemap', 'xml')] },
    ...(run.config.store.bodies ? [{ key: 'warc', title: t('exports.warc'), text: t('exports.warcText'), files: [file('warc', 'warc')] }] : []),
  ];
  return (
    <RowList label={t('tab.exports')}>
      {rows.map(({ key, title, text, files }) => (
        <li key={key} style={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 8, padding: '8px 0', borderBottom: '1px solid var(--n-3)' }}>
          <div style={{ flex: '1 1 240px', minWidth: 0 }}>
            <div style={{ fontWeight: 500 }}>{title}</div>
            <div style={{ fontSize: 'var(--text-secondary)', color: 'var(--ink-2)' }}>{text}</div>
          </div>
          {files.map(({ format, address }) => (
            <Button key={format} component="a" href={address} download size="small" variant="outlined" aria-label={`${title} ${names[format]}`}>
              {names[format]}
            </Button>
          ))}
        </li>
      ))}
    </RowList>
  );
}
