import { useMemo } from 'react';
import type { Conversation } from '@contract/support/conversations';
import type { ConversationList } from '@contract/support/terms';
import { useSupportConversationsInfiniteQuery } from '../supportApi';

const latestFirst = (a: Conversation, b: Conversation): number => b.lastMessageAt.localeCompare(a.lastMessageAt) || b.id.localeCompare(a.id);

/** A conversation that changed is in the first page, and once more in a later one that is loaded afterwards. */
const rowsOf = (rows: readonly Conversation[]): Conversation[] => [...new Map(rows.map((row) => [row.id, row])).values()].toSorted(latestFirst);

/** The loaded conversations of a list, or of a search through all lists. */
export function useConversations(siteId: string, list: ConversationList, typed: string) {
  const q = typed.trim();
  const result = useSupportConversationsInfiniteQuery({ siteId, list, ...(q !== '' && { q }) }, { refetchOnMountOrArgChange: true });
  const { currentData } = result;
  const rows = useMemo(() => rowsOf((currentData?.pages ?? []).flatMap((page) => page.rows)), [currentData]);
  return { result, rows, q };
}
