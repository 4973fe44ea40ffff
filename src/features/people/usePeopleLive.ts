import { useLive } from '@/lib/useLive';
import { useThrottled } from '@/lib/useThrottled';
import { useAppDispatch } from '@/store/hooks';
import { peopleApi } from './peopleApi';

const topics = ['people'] as const;
/** Throttle in milliseconds: saving a grants matrix sends one event per change. */
const pauseMs = 1000;

/** Keeps people, grants, invitations and the log current while others change them. */
export function usePeopleLive(): void {
  const dispatch = useAppDispatch();
  const refresh = useThrottled(() => {
    dispatch(peopleApi.util.invalidateTags(['Person', 'Grants', 'Invite', 'Policy']));
  }, pauseMs);
  useLive(topics, (signal) => {
    if (signal.type === 'user' || signal.type === 'resync') refresh();
  });
}
