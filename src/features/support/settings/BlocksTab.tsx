import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { SupportBlock } from '@contract/support/settings';
import { notifyFailure } from '@/features/notices/noticesSlice';
import { defineUndo } from '@/features/notices/undoListeners';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { EmptyState } from '@/ui/EmptyState';
import { ListContent } from '@/ui/list/ListContent';
import { RowList } from '@/ui/list/RowList';
import { supportApi, useRemoveSupportBlockMutation, useSupportBlocksQuery } from '../supportApi';
import { BlockDialog } from './BlockDialog';

const offerUndo = defineUndo<{ readonly siteId: string; readonly id: string }>('support/blockRemovalUndone', (dispatch, args) =>
  dispatch(supportApi.endpoints.restoreSupportBlock.initiate(args, { track: false })),
);

/** Whose messages reach nobody. They cannot tell that they are blocked. */
export function BlocksTab({ siteId }: { readonly siteId: string }): ReactElement {
  const { t } = useTranslation('support');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const result = useSupportBlocksQuery({ siteId });
  const [remove] = useRemoveSupportBlockMutation();
  const [adding, setAdding] = useState(false);
  const removeIt = async ({ id }: SupportBlock): Promise<void> => {
    const { error } = await remove({ siteId, id });
    if (error === undefined) offerUndo(dispatch, { key: 'support:block.removed' }, { siteId, id });
    else notifyFailure(dispatch, error);
  };
  const add = (
    <Button variant="outlined" onClick={() => setAdding(true)}>
      {t('block.add')}
    </Button>
  );
  return (
    <>
      <div className="support-tools">
        <p className="support-quiet">{t('block.lead')}</p>
        {result.currentData !== undefined && result.currentData.length > 0 && add}
      </div>
      <ListContent
        result={result}
        rowsOf={(rows) => rows}
        empty={
          <EmptyState ghost="rows" title={t('block.none')} action={add}>
            {t('block.noneText')}
          </EmptyState>
        }
      >
        {(rows) => (
          <RowList label={t('settings.tab.blocks')}>
            {rows.map((block) => (
              <li key={block.id} className="support-item">
                <span>
                  {t(`block.kind.${block.kind}`)} <b>{block.kind === 'visitor' ? (block.name === '' ? t('visitor.unnamed') : block.name) : block.value}</b>
                  {block.reason !== '' && <small dir="auto">{block.reason}</small>}
                </span>
                <small>
                  {t('block.by', { name: block.by, date: format.date(block.createdAt, { weekday: false }) })} ·{' '}
                  {block.until === null ? t('block.forever') : t('block.untilDate', { date: format.dateTime(block.until) })}
                </small>
                <Button size="small" onClick={() => void removeIt(block)}>
                  {t('block.remove')}
                </Button>
              </li>
            ))}
          </RowList>
        )}
      </ListContent>
      {adding && <BlockDialog siteId={siteId} choices={[]} onClose={() => setAdding(false)} />}
    </>
  );
}
