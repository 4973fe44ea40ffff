import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { ContentTable } from '@contract/tables/schemas';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { href } from '@/routes/paths';
import { Sparkline } from '@/ui/chart/Sparkline';
import { useTableFactsQuery } from '@/features/tables/maintenance/growth/maintenanceApi';
import { growthTotals, netByDay } from '@/features/tables/maintenance/growth/growth';

/** Size, growth and the number of findings of the last check of a table; one query serves all cards. Renders nothing until it is loaded. */
export const CardFacts = ({ siteId, table }: { readonly siteId: string; readonly table: ContentTable }): ReactElement | null => {
  const { t } = useTranslation('tableSchemas');
  const format = useFormat();
  const [today] = useState(() => new Date());
  const { data } = useTableFactsQuery({ siteId });
  const facts = data?.find(({ tableId }) => tableId === table.id);
  if (!facts) return null;
  const { created, removed } = growthTotals(facts.growth);
  const found = facts.check?.findings.length ?? 0;
  return (
    <p className="design-line design-quiet">
      <span>{bytesText(facts.dataBytes + facts.indexBytes + facts.historyBytes, format)}</span>
      <Sparkline values={netByDay(facts.growth, facts.rows, today)} width={64} height={16} />
      <span>{t('schemas.grown', { created: format.number(created), removed: format.number(removed) })}</span>
      <Link to={`${href('site.table.admin', { siteId })}?part=maintenance&table=${table.id}`}>
        {facts.check === null
          ? t('schemas.unchecked')
          : found === 0
            ? t('schemas.well')
            : t('schemas.found', { count: found, countText: format.number(found) })}
      </Link>
    </p>
  );
};
