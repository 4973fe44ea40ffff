import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { SupportBlock } from '@contract/support/settings';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { useRemoveSupportBlockMutation, useSupportBlocksQuery } from '../supportApi';
import { BlockDialog } from './BlockDialog';
import { offerUnblockUndo } from './blockUndo';
import { ItemsTab } from './ItemsTab';

/** Whose messages reach nobody. They cannot tell that they are blocked. */
export function BlocksTab({ siteId }: { readonly siteId: string }): ReactElement {
  const { t } = useTranslation('support');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const result = useSupportBlocksQuery({ siteId });
  const [remove] = useRemoveSupportBlockMutation();
  const [adding, setAdding] = useState(false);
  const texts = { label: t('settings.tab.blocks'), lead: t('block.lead'), add: t('block.add'), none: t('block.none'), noneText: t('block.noneText') };
  const nameOf = ({ kind, name, value }: SupportBlock): string => (kind !== 'visitor' ? value : name === '' ? t('visitor.unnamed') : name);
  return (
    <>
      <ItemsTab
        result={result}
        texts={texts}
        onAdd={() => setAdding(true)}
        remove={({ id }) => remove({ siteId, id })}
        onRemoved={({ id }) => offerUnblockUndo(dispatch, { key: 'support:block.removed' }, { siteId, id })}
      >
        {(block, removeIt) => (
          <>
            <span>
              {t(`block.kind.${block.kind}`)} <b>{nameOf(block)}</b>
              {block.reason !== '' && <small dir="auto">{block.reason}</small>}
            </span>
            <small>
              {t('block.by', { name: block.by, date: format.date(block.createdAt, { weekday: false }) })} ·{' '}
              {block.until === null ? t('block.forever') : t('block.untilDate', { date: format.dateTime(block.until) })}
            </small>
            <Button size="small" aria-label={t('block.removeOf', { name: nameOf(block) })} onClick={removeIt}>
              {t('block.remove')}
            </Button>
          </>
        )}
      </ItemsTab>
      {adding && <BlockDialog siteId={siteId} choices={[]} onClose={() => setAdding(false)} />}
    </>
  );
}
