import { useTranslation } from 'react-i18next';
import { noticeShown } from '@/features/notices/noticesSlice';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { useFailureMessage } from '@/ui/ErrorPanel';

/** Messages for failures of this area that say what to do; otherwise the server's own message. */
export function usePeopleFailureMessage(): (failure: ApiFailure) => string {
  const { t } = useTranslation('people');
  const messageOf = useFailureMessage();
  return (failure) => {
    if (failure.code === 'last_owner') return t('refused.lastOwner');
    if (failure.code === 'stale_revision') return t('refused.stale');
    if (failure.code === 'not_found') return t('refused.gone');
    return messageOf(failure);
  };
}

/** Shows a failure as a notice; silent if the person cancelled the proof of identity, which they already know. */
export function usePeopleFailure(): (failure: ApiFailure) => void {
  const dispatch = useAppDispatch();
  const messageOf = usePeopleFailureMessage();
  return (failure) => {
    if (failure.code === 'reauth_required') return;
    dispatch(noticeShown({ tone: 'bad', message: { text: messageOf(failure) }, requestId: failure.requestId }));
  };
}
