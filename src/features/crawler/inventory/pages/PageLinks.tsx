import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '@/ui/EmptyState';
import { Toggles } from '@/ui/Toggles';
import { useCrawledPageLinksInfiniteQuery } from '../inventoryApi';
import { LinkTable } from '../links/LinkTable';
import { MoreRows } from '../MoreRows';

/** Links to a page, and those that it has. */
export function PageLinks({ runId, urlId }: { readonly runId: string; readonly urlId: number }): ReactElement {
  const { t } = useTranslation('inventory');
  const [direction, setDirection] = useState<'in' | 'out'>('in');
  const result = useCrawledPageLinksInfiniteQuery({ crawlRunId: runId, urlId, direction });
  return (
    <>
      <div className="inventory-bar">
        <Toggles
          label={t('links.direction')}
          value={direction}
          choices={[
            { value: 'in', label: t('links.in') },
            { value: 'out', label: t('links.out') },
          ]}
          onChoose={setDirection}
        />
      </div>
      <MoreRows result={result} empty={<EmptyState ghost="rows" title={t(direction === 'in' ? 'links.noneIn' : 'links.noneOut')} />}>
        {(rows) => <LinkTable rows={rows} only={direction === 'in' ? 'from' : 'to'} />}
      </MoreRows>
    </>
  );
}
