import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { SupportVisitor } from '@contract/support/conversations';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { BlockDialog } from '../settings/BlockDialog';
import { offerUnblockUndo } from '../settings/blockUndo';
import { useRemoveSupportBlockMutation, useRemoveSupportVisitorMutation, useSupportBlocksQuery } from '../supportApi';

type Props = { readonly siteId: string; readonly visitor: SupportVisitor; readonly mayConfigure: boolean };

/** Blocking a visitor, and erasing everything about them. */
export function VisitorActions({ siteId, visitor, mayConfigure }: Props): ReactElement {
  const { t } = useTranslation('support');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const [blocking, setBlocking] = useState(false);
  const [unblock] = useRemoveSupportBlockMutation();
  const [erase, { isLoading }] = useRemoveSupportVisitorMutation();
  const { currentData: blocks } = useSupportBlocksQuery({ siteId }, { skip: !visitor.blocked });
  const own = blocks?.find(({ kind, value }) => kind === 'visitor' && value === visitor.id);
  const eraseAll = async (): Promise<void> => {
    const question = { title: t('erase.title'), body: t('erase.text', { count: visitor.conversations.length }), confirm: t('erase.confirm'), danger: true };
    if (!(await confirm(question))) return;
    const { error } = await erase({ siteId, id: visitor.id });
    if (error === undefined) dispatch(noticeShown({ tone: 'good', message: { key: 'support:erase.done' } }));
    else notifyFailure(dispatch, error);
  };
  const unblockIt = async (id: string): Promise<void> => {
    const { error } = await unblock({ siteId, id });
    if (error === undefined) offerUnblockUndo(dispatch, { key: 'support:block.removed' }, { siteId, id });
    else notifyFailure(dispatch, error);
  };
  return (
    <section aria-label={t('visitor.actions')} className="support-visitor-actions">
      {own ? (
        <Button size="small" onClick={() => void unblockIt(own.id)}>
          {t('block.remove')}
        </Button>
      ) : (
        <Button size="small" onClick={() => setBlocking(true)}>
          {t('block.open')}
        </Button>
      )}
      {mayConfigure && (
        <Button size="small" color="error" aria-busy={isLoading} onClick={() => void eraseAll()}>
          {t('erase.open')}
        </Button>
      )}
      {blocking && (
        <BlockDialog
          siteId={siteId}
          choices={[
            { kind: 'visitor', value: visitor.id },
            ...(visitor.address === '' ? [] : [{ kind: 'network' as const, value: visitor.address }]),
            ...(visitor.email === '' ? [] : [{ kind: 'email' as const, value: visitor.email }]),
          ]}
          onClose={() => setBlocking(false)}
        />
      )}
    </section>
  );
}
