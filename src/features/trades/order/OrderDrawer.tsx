import { Box, Typography } from '@mui/material';
import { useCallback, useRef } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { isFailure } from '@/lib/failure';
import { ResultState } from '@/ui/ResultState';
import { useConfirm } from '@/ui/confirmContext';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { SideSheet } from '@/ui/SideSheet';
import { RowsSkeleton } from '@/ui/skeletons';
import { useOrderQuery } from '../tradesApi';
import { useTradeRights } from '../useTrades';
import { OrderForm } from './OrderForm';
import type { Typing } from './OrderForm';
import { OrderView } from './OrderView';

type Props = {
  /** `new` or an id; null is closed. */
  readonly id: string | null;
  /** Shows the edit form of a draft. */
  readonly edit: boolean;
  /** Replaces this order in the drawer: by the newly created draft, by a renewal. */
  readonly onOpen: (id: string) => void;
  readonly onEdit: (on: boolean) => void;
  readonly onClose: () => void;
};

type OpenedProps = Omit<Props, 'id'> & { readonly id: string; readonly onTyping: (typing: Typing) => void; readonly onCancel: () => void };

/** An order by its address: refetched when opened, so that its revision is current. */
function Opened({ id, edit, onOpen, onEdit, onClose, onTyping, onCancel }: OpenedProps): ReactElement {
  const { t } = useTranslation('trades');
  const { write } = useTradeRights();
  const result = useOrderQuery({ id }, { refetchOnMountOrArgChange: true });
  return (
    <ResultState
      result={result}
      skeleton={
        <Box sx={{ px: 3 }}>
          <RowsSkeleton rows={7} />
        </Box>
      }
      failed={(error, onRetry, retrying) => (
        <Box sx={{ px: 3 }}>
          {isFailure(error) && error.status === 404 ? (
            <Typography variant="body2">{t('order.missing')}</Typography>
          ) : (
            <ErrorPanel failure={isFailure(error) ? error : null} onRetry={onRetry} retrying={retrying} />
          )}
        </Box>
      )}
    >
      {(order) =>
        edit && write && order.state === 'draft' ? (
          <OrderForm key={id} order={order} onTyping={onTyping} onCancel={onCancel} onDone={() => onEdit(false)} />
        ) : (
          <OrderView order={order} onEdit={() => onEdit(true)} onOpen={onOpen} onGone={onClose} />
        )
      }
    </ResultState>
  );
}

/**
 * The right drawer with one order: a view with its actions, or the form of a draft. Closing it asks for confirmation if there are unsaved changes.
 */
export function OrderDrawer({ id, edit, onOpen, onEdit, onClose }: Props): ReactElement {
  const { t } = useTranslation('trades');
  const confirm = useConfirm();
  const { write } = useTradeRights();
  const typing = useRef<Typing>({ dirty: false, discard: () => undefined });
  const onTyping = useCallback((now: Typing) => {
    typing.current = now;
  }, []);
  const leave = async (then: () => void) => {
    if (
      typing.current.dirty &&
      !(await confirm({ title: t('form.discardTitle'), body: t('form.discardText'), confirm: t('form.discard'), cancel: t('form.keep'), danger: true }))
    )
      return;
    typing.current.discard();
    typing.current = { dirty: false, discard: () => undefined };
    then();
  };
  return (
    <SideSheet
      title={t(id === 'new' ? 'form.newTitle' : edit ? 'form.editTitle' : 'order.title')}
      open={id !== null}
      width="min(880px, calc(100% - 48px))"
      onClose={() => void leave(onClose)}
    >
      {id === 'new' &&
        (write ? (
          <OrderForm order={null} onTyping={onTyping} onCancel={() => void leave(onClose)} onDone={(saved) => onOpen(saved.id)} />
        ) : (
          <Typography variant="body2" sx={{ px: 3 }}>
            {t('order.mayNot')}
          </Typography>
        ))}
      {id !== null && id !== 'new' && (
        <Opened
          key={id}
          id={id}
          edit={edit}
          onOpen={onOpen}
          onEdit={onEdit}
          onClose={onClose}
          onTyping={onTyping}
          onCancel={() => void leave(() => onEdit(false))}
        />
      )}
    </SideSheet>
  );
}
