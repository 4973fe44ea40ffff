import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../DataTable';
import type { Column } from '../tableColumns';
import type { ChartLine, ChartPoint } from './types';

/** The same figures as rows, newest last as in the chart. */
export const ChartTable = ({ label, points, lines }: { label: string; points: readonly ChartPoint[]; lines: readonly ChartLine[] }): ReactElement => {
  const { t } = useTranslation('chart');
  const columns: Column<number>[] = [
    {
      id: 'time',
      name: t('time'),
      cell: (at) => (
        <>
          {points[at]?.name}
          {points[at]?.open === true && t('open')}
        </>
      ),
    },
    ...lines.flatMap((line): Column<number>[] => [
      {
        id: line.id,
        name: line.name,
        numeric: true,
        sortable: true,
        value: (at) => line.values[at] ?? null,
        cell: (at) => line.write(line.values[at] ?? null),
      },
      ...(line.compare === undefined
        ? []
        : [
            {
              id: `${line.id}-before`,
              name: `${line.name} · ${line.compareLabel ?? t('before')}`,
              numeric: true,
              sortable: true,
              value: (at: number) => line.compare?.[at] ?? null,
              cell: (at: number) => line.write(line.compare?.[at] ?? null),
            },
          ]),
    ]),
  ];
  return <DataTable label={label} columns={columns} rows={points.map((_, at) => at)} rowKey={String} dense />;
};
