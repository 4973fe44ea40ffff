import { useTranslation } from 'react-i18next';
import { noticeShown } from '@/features/notices/noticesSlice';
import type { ApiFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { useFailureWords } from '@/ui/ErrorPanel';

/** Refusals of this area in sentences that say what to do; everything else in the server's own words. */
export function usePeopleWords(): (failure: ApiFailure) => string {
  const { t } = useTranslation('people');
  const words = useFailureWords();
  return (failure) => {
    if (failure.code === 'last_owner') return t('refused.lastOwner');
    if (failure.code === 'stale_revision') return t('refused.stale');
    if (failure.code === 'not_found') return t('refused.gone');
    return words(failure);
  };
}

/** Says a refusal as a notice; silent where the person would rather not prove who they are (that has been said). */
export function usePeopleFailure(): (failure: ApiFailure) => void {
  const dispatch = useAppDispatch();
  const words = usePeopleWords();
  return (failure) => {
    if (failure.code === 'reauth_required') return;
    dispatch(noticeShown({ tone: 'bad', words: { text: words(failure) }, requestId: failure.requestId }));
  };
}
