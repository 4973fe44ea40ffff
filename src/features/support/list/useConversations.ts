import { useMemo } from 'react';
import type { ConversationList } from '@contract/support/terms';
import { useSupportConversationsInfiniteQuery } from '../supportApi';

/** The loaded conversations of a list, or of a search through all lists. */
export function useConversations(siteId: string, list: ConversationList, typed: string) {
  const q = typed.trim();
  const result = useSupportConversationsInfiniteQuery({ siteId, list, ...(q !== '' && { q }) }, { refetchOnMountOrArgChange: true });
  const { currentData } = result;
  const rows = useMemo(() => (currentData?.pages ?? []).flatMap((page) => page.rows), [currentData]);
  return { result, rows, q };
}
