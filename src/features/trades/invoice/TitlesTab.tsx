import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { InvoiceTitle } from '@contract/trades/ledger';
import { defineUndo } from '@/features/notices/undoListeners';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { EmptyState } from '@/ui/EmptyState';
import { ListContent } from '@/ui/list/ListContent';
import { RowList } from '@/ui/list/RowList';
import { tradesApi, useRemoveTitleMutation, useTitlesQuery } from '../tradesApi';
import { useTradeNotices } from '../useTrades';
import { TitleDialog } from './TitleDialog';

type ItemProps = {
  readonly title: InvoiceTitle;
  /** Some billing details are being removed, perhaps these. */
  readonly removing: 'this' | 'other' | null;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
};

function TitleItem({ title, removing, onEdit, onRemove }: ItemProps): ReactElement {
  const { t } = useTranslation('trades');
  return (
    <Box component="li" sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: 1, py: 1.25, borderBottom: 1, borderColor: 'divider' }}>
      <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
        <Typography variant="body2" sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}>
          {title.title}
          <Typography component="span" variant="caption" sx={{ ml: 1, color: 'text.secondary' }}>
            {t(`titleType.${title.titleType}`)}
          </Typography>
        </Typography>
        {title.taxNumber !== null && (
          <Typography variant="caption" component="div" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
            {t('titles.taxNumber')} {title.taxNumber}
          </Typography>
        )}
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {[title.address, title.phone, title.bank, title.account, title.email ?? ''].filter((one) => one !== '').join(' · ')}
        </Typography>
      </Box>
      <Box sx={{ display: 'flex', gap: 0.5 }}>
        <Button onClick={onEdit} aria-label={t('titles.editNamed', { title: title.title })}>
          {t('titles.edit')}
        </Button>
        <Button onClick={onRemove} disabled={removing !== null} aria-busy={removing === 'this'} aria-label={t('titles.removeNamed', { title: title.title })}>
          {t('titles.remove')}
        </Button>
      </Box>
    </Box>
  );
}

const notifyTitleRemoved = defineUndo<{ readonly id: string }>('trades/titleRemovalUndone', (dispatch, title) =>
  dispatch(tradesApi.endpoints.restoreTitle.initiate(title)),
);

type ListProps = { readonly titles: readonly InvoiceTitle[]; readonly add: ReactElement; readonly onEdit: (title: InvoiceTitle) => void };

/** The billing details, which are removed after confirmation. */
function TitleList({ titles, add, onEdit }: ListProps): ReactElement {
  const { t } = useTranslation('trades');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const notify = useTradeNotices();
  const [remove, { isLoading, originalArgs }] = useRemoveTitleMutation();
  const confirmRemoval = async (title: InvoiceTitle) => {
    const confirmed = await confirm({
      title: t('titles.removeTitle', { title: title.title }),
      body: t('titles.removeText'),
      confirm: t('titles.remove'),
      danger: true,
    });
    if (!confirmed) return;
    const { error } = await remove({ id: title.id });
    if (error === undefined) notifyTitleRemoved(dispatch, { key: 'trades:titles.removed', values: { title: title.title } }, { id: title.id });
    else notify.bad(error);
  };
  return (
    <Box sx={{ maxWidth: 760 }}>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', alignItems: 'center', gap: 2, mb: 1 }}>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('titles.lead')}
        </Typography>
        {add}
      </Box>
      <RowList label={t('tabs.titles')}>
        {titles.map((title) => (
          <TitleItem
            key={title.id}
            title={title}
            removing={!isLoading ? null : originalArgs?.id === title.id ? 'this' : 'other'}
            onEdit={() => onEdit(title)}
            onRemove={() => void confirmRemoval(title)}
          />
        ))}
      </RowList>
    </Box>
  );
}

/** The person's own billing details, to choose from when requesting an invoice. */
export function TitlesTab(): ReactElement {
  const { t } = useTranslation('trades');
  const result = useTitlesQuery(undefined, { refetchOnMountOrArgChange: true });
  const [open, setOpen] = useState<InvoiceTitle | 'new' | null>(null);
  const add = (
    <Button variant="contained" onClick={() => setOpen('new')}>
      {t('titles.add')}
    </Button>
  );
  return (
    <>
      <ListContent
        result={result}
        rowsOf={(rows) => rows}
        skeletonRows={3}
        empty={
          <EmptyState ghost="cards" title={t('titles.empty')} action={add}>
            {t('titles.emptyText')}
          </EmptyState>
        }
      >
        {(titles) => <TitleList titles={titles} add={add} onEdit={setOpen} />}
      </ListContent>
      {open !== null && <TitleDialog key={open === 'new' ? 'new' : open.id} title={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </>
  );
}
