import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { RobotsWhatIf } from '@contract/seo/robotsSchemas';
import { useFormat } from '@/lib/format';
import { DataTable } from '@/ui/DataTable';
import { Section } from '@/ui/Section';
import { Tag } from '@/ui/Tag';
import type { Column } from '@/ui/tableColumns';

type Changed = RobotsWhatIf['examples'][number];

/** One sentence: how many known addresses change. */
export function useWhatIfText(): (result: RobotsWhatIf) => string {
  const { t } = useTranslation('seo');
  const { number } = useFormat();
  return ({ known, blocked, blockedWithVisits, opened }) =>
    blocked + opened === 0
      ? t('robots.noChange', { known: number(known) })
      : t('robots.change', { known: number(known), blocked: number(blocked), visited: number(blockedWithVisits), opened: number(opened) });
}

/** The known addresses that a changed robots.txt would close or open, the most visited first. */
export function WhatIf({ result }: { readonly result: RobotsWhatIf }): ReactElement {
  const { t } = useTranslation('seo');
  const format = useFormat();
  const textOf = useWhatIfText();
  const columns: readonly Column<Changed>[] = [
    {
      id: 'page',
      name: t('robots.page'),
      fills: true,
      cell: ({ path, title }) => (
        <>
          {title !== '' && <div>{title}</div>}
          <code>{path}</code>
        </>
      ),
    },
    {
      id: 'change',
      name: t('robots.whatHappens'),
      width: 120,
      cell: ({ change }) => <Tag tone={change === 'blocked' ? 'bad' : 'good'}>{t(`robots.${change}`)}</Tag>,
    },
    { id: 'visits', name: t('robots.visits'), numeric: true, width: 100, cell: ({ visits }) => format.number(visits) },
    { id: 'agent', name: t('robots.crawler'), width: 140, cell: ({ agent }) => (agent === '*' ? t('robots.everyCrawler') : agent) },
  ];
  return (
    <Section title={t('robots.whatIf')} note={textOf(result)}>
      {result.examples.length > 0 && <DataTable label={t('robots.whatIf')} columns={columns} rows={result.examples} rowKey={({ path }) => path} dense />}
    </Section>
  );
}
