import { useMemo } from 'react';
import type { ConversationList } from '@contract/support/terms';
import { useDebounced } from '@/lib/useDebounced';
import { useSupportConversationsInfiniteQuery } from '../supportApi';

/** The loaded conversations of a list, or of a search through all lists. */
export function useConversations(siteId: string, list: ConversationList, typed: string) {
  const q = useDebounced(typed.trim(), 250);
  const result = useSupportConversationsInfiniteQuery({ siteId, list, ...(q !== '' && { q }) }, { refetchOnMountOrArgChange: true });
  const { currentData } = result;
  const rows = useMemo(() => (currentData?.pages ?? []).flatMap((page) => page.rows), [currentData]);
  return { result, rows, q };
}
