import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import type { NoticeMessage } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import type { AppDispatch } from '@/store';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';

type Call = () => PromiseLike<{ readonly error?: unknown }>;

/**
 * Ends a link after a confirmation, or takes over one that stopped with its maker's permissions. `remove` and `takeOver` are the calls of its area;
 * `endText` says who will notice, `notifyEnded` shows that it was ended and offers to undo that.
 */
export function useLinkActions({
  name,
  endText,
  remove,
  takeOver,
  notifyEnded,
}: {
  readonly name: string;
  readonly endText: string;
  readonly remove: Call;
  readonly takeOver: Call;
  readonly notifyEnded: (dispatch: AppDispatch, message: NoticeMessage) => void;
}) {
  const { t } = useTranslation('form');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const [busy, setBusy] = useState<'end' | 'takeOver' | null>(null);
  const run = async (action: 'end' | 'takeOver', call: Call): Promise<void> => {
    setBusy(action);
    const { error } = await call();
    setBusy(null);
    // Somebody else ended it: the result is the same.
    const gone = isFailure(error) && action === 'end' && error.status === 404;
    if (isFailure(error) && !gone) dispatch(noticeShown({ tone: 'bad', message: failureMessage(error), requestId: error.requestId }));
    else if (error === undefined && action === 'end') notifyEnded(dispatch, { key: 'form:link.ended', values: { name } });
    else if (error === undefined || gone)
      dispatch(noticeShown({ message: { key: action === 'end' ? 'form:link.ended' : 'form:link.takenOver', values: { name } } }));
  };
  return {
    busy,
    end: async (): Promise<void> => {
      if (await confirm({ title: t('link.endTitle', { name }), body: endText, confirm: t('link.end'), danger: true })) await run('end', remove);
    },
    takeOver: (): Promise<void> => run('takeOver', takeOver),
  };
}
