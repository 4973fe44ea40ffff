import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Chart } from '@/ui/chart/Chart';
import { Sparkline } from '@/ui/chart/Sparkline';
import { DataTable } from '@/ui/DataTable';
import { Delta } from '@/ui/Delta';
import { KeyFigure } from '@/ui/KeyFigure';
import { Pager } from '@/ui/Pager';
import { Section } from '@/ui/Section';
import { Row } from './Row';
import { useTexts } from './texts';

const counts = [320, 410, 380, 520, 610, 480, 440];
const before = [300, 360, 400, 450, 500, 470, 430];

function Figures(): ReactElement {
  const texts = useTexts();
  return (
    <Row name="KeyFigure">
      <KeyFigure name={texts.visits} value="12,345" below={<Delta now={12_345} before={11_000} better="more" />} />
      <KeyFigure name={texts.duration} value={texts.durationValue} below={<Delta now={241} before={300} better="more" />} onExplain={() => undefined} />
      <KeyFigure name={texts.visits} value="0" below={<Delta now={0} before={0} better="more" />} />
      <KeyFigure name={texts.visits} value="" loading />
    </Row>
  );
}

export function Data(): ReactElement {
  const texts = useTexts();
  const { i18n } = useTranslation();
  const [page, setPage] = useState(2);
  const write = (value: number | null): string => (value === null ? '–' : new Intl.NumberFormat(i18n.language).format(value));
  const points = counts.map((_count, at) => ({ name: `2026-11-${String(17 + at)}`, tick: `11-${String(17 + at)}`, open: at === counts.length - 1 }));
  const rows = counts.map((count, at) => ({ page: at === 3 ? `/${texts.long.replaceAll(' ', '-')}` : `/page/${String(at + 1)}`, count }));
  return (
    <Section title={texts.data}>
      <Figures />
      <Row name="Sparkline">
        <Sparkline values={counts} />
      </Row>
      <Chart
        label={texts.visits}
        points={points}
        lines={[{ id: 'visits', name: texts.visits, values: counts, compare: before, unit: 'count', write, writeTick: write }]}
      />
      <DataTable
        label={texts.page}
        rows={rows}
        rowKey={(row) => row.page}
        columns={[
          { id: 'page', name: texts.page, cell: (row) => row.page, value: (row) => row.page, sortable: true, fills: true },
          {
            id: 'count',
            name: texts.visits,
            numeric: true,
            cell: (row) => write(row.count),
            value: (row) => row.count,
            sortable: true,
            share: (row) => row.count / 3160,
          },
        ]}
      />
      <Pager page={page} size={20} count={87} sizes={[20, 50, 100]} onPage={setPage} onSize={() => undefined} />
    </Section>
  );
}
