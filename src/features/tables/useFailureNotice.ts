import { notifyFailure } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';

/** `notifyFailure` of the current store. */
export function useFailureNotice(): (error: unknown) => void {
  const dispatch = useAppDispatch();
  return (error) => notifyFailure(dispatch, error);
}
