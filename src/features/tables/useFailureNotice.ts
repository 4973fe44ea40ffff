import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';

/** Shows a notice for a failed call. Anything else, such as `undefined` after a success, shows none. */
export function useFailureNotice(): (error: unknown) => void {
  const dispatch = useAppDispatch();
  return (error) => {
    if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', message: failureMessage(error), requestId: error.requestId }));
  };
}
