import type { Row } from '@contract/analytics/schemas';
import type { ReactElement } from 'react';
import { DataTable } from '@/ui/DataTable';
import { isCompared } from '../analyticsApi';
import { measureColumns } from '../measureColumns';
import { useLabels } from '../useLabels';
import { mapMeasures, type MapPlaces } from './useMapPlaces';

/** The data of the map as a table, with the chosen measure first. */
export const PlaceTable = ({ places: { by, title, measure, report, rows, nameOf, pick } }: { readonly places: MapPlaces }): ReactElement => {
  const labels = useLabels();
  const { t } = labels;
  return (
    <DataTable
      label={title}
      columns={[
        { id: 'name', name: t(`dimension.${by}`), fills: true, share: (row) => row.share, cell: nameOf },
        ...measureColumns<Row>({
          labels,
          measures: [measure, ...mapMeasures.filter((id) => id !== measure).slice(0, 2)],
          more: [],
          totals: report.totals,
          of: (row) => row.values,
          totalsBefore: isCompared(report) ? report.compareTotals : null,
          before: (row) => row.compare,
          differences: isCompared(report) ? [measure] : [],
          previous: false,
        }),
      ]}
      rows={rows}
      rowKey={({ key }) => key}
      dense
      onRow={({ key }) => pick(key)}
      rowHint={(row) => t('blocks.map.hint', { name: nameOf(row) })}
      totalLabel={t('block.total')}
    />
  );
};
