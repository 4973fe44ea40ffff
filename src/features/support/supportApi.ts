import { supportCalls } from '@contract/support/calls';
import type { Conversation, ConversationMessage } from '@contract/support/conversations';
import type { supportEndpoints } from '@contract/support/schemas';
import type { ConversationList } from '@contract/support/terms';
import { isActive } from '@contract/support/terms';
import { selectSession } from '@/features/session/sessionSlice';
import type { AppDispatch, RootState } from '@/store';
import { api } from '@/store/api';
import { addressOf, mutation, pages, query, typed } from '@/store/endpoints';
import type { ArgumentsOf, OfSite } from '@/store/endpoints';

const calls = typed<typeof supportEndpoints>(supportCalls);
const of =
  <T extends string>(type: T) =>
  (_result: unknown, failure: unknown, { siteId }: OfSite) =>
    failure ? [] : [{ type, id: siteId }];
const reading =
  <T extends string>(type: T) =>
  (_result: unknown, _failure: unknown, { siteId }: OfSite) => [{ type, id: siteId }];

type Messages = { rows: ConversationMessage[]; version: number; more: boolean };
const bySeq = (a: ConversationMessage, b: ConversationMessage): number => a.seq - b.seq;
/** Adds rows to those already known, or replaces them by their later versions. */
export function mergeMessages(known: readonly ConversationMessage[], rows: readonly ConversationMessage[]): ConversationMessage[] {
  const all = new Map(known.map((row) => [row.seq, row]));
  for (const row of rows) if ((all.get(row.seq)?.version ?? -1) <= row.version) all.set(row.seq, row);
  return [...all.values()].toSorted(bySeq);
}

export const supportApi = api
  .enhanceEndpoints({
    addTagTypes: [
      'Support',
      'SupportConversations',
      'SupportConversation',
      'SupportMessages',
      'SupportVisitor',
      'SupportSettings',
      'CannedReply',
      'SupportBlock',
      'SupportStatistics',
    ],
  })
  .injectEndpoints({
    endpoints: (b) => ({
      support: query(b, calls.support, { providesTags: reading('Support') }),
      supportConversations: pages(b, calls.supportConversations, { providesTags: reading('SupportConversations') }),
      supportChanges: query(b, calls.supportChanges, { keepUnusedDataFor: 0 }),
      supportConversation: query(b, calls.supportConversation, { providesTags: (_result, _failure, { id }) => [{ type: 'SupportConversation', id }] }),
      changeSupportConversation: mutation(b, calls.changeSupportConversation),
      transferSupportConversation: mutation(b, calls.transferSupportConversation),
      mergeSupportConversations: mutation(b, calls.mergeSupportConversations),
      changeSupportConversations: mutation(b, calls.changeSupportConversations),
      /** All messages of one conversation that are loaded: later ones (`after` a version) and earlier ones (`before` a place) are added to them. */
      supportMessages: query(b, calls.supportMessages, {
        providesTags: (_result, _failure, { id }) => [{ type: 'SupportMessages', id }],
        serializeQueryArgs: ({ queryArgs: { siteId, id } }) => `${siteId} ${id}`,
        // The latest messages come latest first.
        transformResponse: (answer: Messages) => ({ ...answer, rows: answer.rows.toSorted(bySeq) }),
        merge: (cache: Messages, next: Messages, { arg }) => {
          cache.rows = mergeMessages(cache.rows, next.rows);
          if (arg.before === undefined) cache.version = Math.max(cache.version, next.version);
          else cache.more = next.more;
        },
        forceRefetch: ({ currentArg, previousArg }) => currentArg?.after !== previousArg?.after || currentArg?.before !== previousArg?.before,
      }),
      sendSupportMessage: mutation(b, calls.sendSupportMessage),
      editSupportMessage: mutation(b, calls.editSupportMessage),
      removeSupportMessage: mutation(b, calls.removeSupportMessage),
      markSupportRead: mutation(b, calls.markSupportRead),
      uploadSupportFile: mutation(b, calls.uploadSupportFile),
      supportVisitor: query(b, calls.supportVisitor, { providesTags: (_result, _failure, { id }) => [{ type: 'SupportVisitor', id }, 'SupportVisitor'] }),
      changeSupportVisitor: mutation(b, calls.changeSupportVisitor, { invalidatesTags: ['SupportVisitor', 'SupportConversations'] }),
      removeSupportVisitor: mutation(b, calls.removeSupportVisitor, {
        invalidatesTags: (_result, failure) =>
          failure ? [] : ['SupportConversations', 'SupportConversation', 'SupportMessages', 'SupportVisitor', 'SupportBlock', 'Support'],
      }),
      supportPresence: mutation(b, calls.supportPresence),
      pauseSupport: mutation(b, calls.pauseSupport, { invalidatesTags: of('Support') }),
      supportSettings: query(b, calls.supportSettings, { providesTags: reading('SupportSettings') }),
      changeSupportSettings: mutation(b, calls.changeSupportSettings, {
        invalidatesTags: (result, failure, args) => [...of('SupportSettings')(result, failure, args), ...of('Support')(result, failure, args)],
      }),
      testSupportWebhook: mutation(b, calls.testSupportWebhook),
      cannedReplies: query(b, calls.cannedReplies, { providesTags: ['CannedReply'] }),
      addCannedReply: mutation(b, calls.addCannedReply, { invalidatesTags: ['CannedReply'] }),
      changeCannedReply: mutation(b, calls.changeCannedReply, { invalidatesTags: ['CannedReply'] }),
      removeCannedReply: mutation(b, calls.removeCannedReply, { invalidatesTags: ['CannedReply'] }),
      restoreCannedReply: mutation(b, calls.restoreCannedReply, { invalidatesTags: ['CannedReply'] }),
      supportBlocks: query(b, calls.supportBlocks, { providesTags: ['SupportBlock'] }),
      addSupportBlock: mutation(b, calls.addSupportBlock, { invalidatesTags: ['SupportBlock', 'SupportVisitor'] }),
      removeSupportBlock: mutation(b, calls.removeSupportBlock, { invalidatesTags: ['SupportBlock', 'SupportVisitor'] }),
      restoreSupportBlock: mutation(b, calls.restoreSupportBlock, { invalidatesTags: ['SupportBlock', 'SupportVisitor'] }),
      supportStatistics: query(b, calls.supportStatistics, { providesTags: ['SupportStatistics'] }),
    }),
  });

export const {
  useSupportQuery,
  useSupportConversationsInfiniteQuery,
  useSupportConversationQuery,
  useChangeSupportConversationMutation,
  useTransferSupportConversationMutation,
  useMergeSupportConversationsMutation,
  useChangeSupportConversationsMutation,
  useSupportMessagesQuery,
  useEditSupportMessageMutation,
  useRemoveSupportMessageMutation,
  useMarkSupportReadMutation,
  useSupportVisitorQuery,
  useChangeSupportVisitorMutation,
  useRemoveSupportVisitorMutation,
  usePauseSupportMutation,
  useSupportSettingsQuery,
  useChangeSupportSettingsMutation,
  useTestSupportWebhookMutation,
  useCannedRepliesQuery,
  useAddCannedReplyMutation,
  useChangeCannedReplyMutation,
  useRemoveCannedReplyMutation,
  useSupportBlocksQuery,
  useAddSupportBlockMutation,
  useRemoveSupportBlockMutation,
  useSupportStatisticsQuery,
} = supportApi;

type File = { readonly siteId: string; readonly id: string };
export const supportFileAddress = ({ siteId, id }: File, inline = false): string =>
  addressOf(calls.supportFile, { siteId, id, ...(inline && { inline: '1' as const }) });
export const transcriptAddress = ({ siteId, id }: File): string => addressOf(calls.supportTranscript, { siteId, id });
export const exportAddress = (args: ArgumentsOf<typeof supportEndpoints.exportSupport>): string => addressOf(calls.exportSupport, args);

/** Whether a conversation belongs to a list; `me`: the reader. */
export function belongsTo(list: ConversationList, { state, kind, assignee, removed }: Conversation, me: string): boolean {
  if (removed) return false;
  switch (list) {
    case 'mine':
      return isActive(state) && assignee?.id === me;
    case 'unassigned':
      return isActive(state) && assignee === null;
    case 'all':
      return isActive(state);
    case 'forms':
      return isActive(state) && kind === 'form';
    default:
      return state === list;
  }
}

/** Puts changed conversations into all lists that are loaded, and out of those to which they no longer belong. */
export const conversationsChanged =
  (siteId: string, rows: readonly Conversation[]) =>
  (dispatch: AppDispatch, getState: () => RootState): void => {
    const state = getState();
    const me = selectSession(state)?.userId ?? '';
    for (const row of rows) dispatch(supportApi.util.updateQueryData('supportConversation', { siteId, id: row.id }, () => row));
    const ids = new Set(rows.map(({ id }) => id));
    for (const args of supportApi.util.selectCachedArgsForQuery(state, 'supportConversations')) {
      if (args.siteId !== siteId) continue;
      const { list = 'all', q = '' } = args;
      dispatch(
        supportApi.util.updateQueryData('supportConversations', args, ({ pages: loaded }) => {
          const present = new Set(loaded.flatMap((page) => page.rows.map(({ id }) => id)));
          for (const page of loaded) page.rows = page.rows.filter(({ id }) => !ids.has(id));
          // Whether a text is found only the server knows: rows of a search change in place, and new ones come with the next search.
          const here = rows.filter((row) => (q === '' ? belongsTo(list, row, me) : present.has(row.id) && !row.removed));
          loaded[0]?.rows.unshift(...here);
        }),
      );
    }
  };
