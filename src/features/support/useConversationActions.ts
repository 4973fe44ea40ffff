import type { Conversation } from '@contract/support/conversations';
import type { BulkAction } from '@contract/support/terms';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { defineUndo } from '@/features/notices/undoListeners';
import { useAppDispatch } from '@/store/hooks';
import { conversationsChanged, supportApi } from './supportApi';

type Change = Parameters<typeof supportApi.endpoints.changeSupportConversation.initiate>[0]['body'];
type ReadSeqs = Readonly<Record<string, number>>;
type Bulk = { readonly siteId: string; readonly ids: string[]; readonly action: BulkAction; readonly readSeqs: ReadSeqs };
type One = { readonly siteId: string; readonly id: string; readonly body: Change };

/** Resolving names what was seen: a conversation to which the visitor wrote since stays open. */
const seenBy = (action: BulkAction, readSeqs: ReadSeqs) => (action === 'resolve' ? { readSeqs } : {});

const offerBulkUndo = defineUndo<Bulk>('support/bulkUndone', (dispatch, { siteId, ids, action, readSeqs }) =>
  dispatch(supportApi.endpoints.changeSupportConversations.initiate({ siteId, body: { ids, action, ...seenBy(action, readSeqs) } }, { track: false })),
);
const offerUndo = defineUndo<One>('support/changeUndone', (dispatch, args) =>
  dispatch(supportApi.endpoints.changeSupportConversation.initiate(args, { track: false })),
);

/** The action that takes another one back; assigning is not one of them, because the conversations had different agents. */
const backOf: Readonly<Partial<Record<BulkAction, BulkAction>>> = {
  resolve: 'reopen',
  reopen: 'resolve',
  spam: 'not_spam',
  not_spam: 'spam',
  remove: 'restore',
};

/** Conversations that a notice names. */
const mostNamed = 12;

type Selection = { readonly ids: readonly string[]; readonly readSeqs: ReadSeqs };

/** One action on several conversations; true if it was done. */
export function useBulkAction(siteId: string) {
  const dispatch = useAppDispatch();
  return async ({ ids, readSeqs }: Selection, action: BulkAction, assignee?: string | null): Promise<boolean> => {
    const body = { ids: [...ids], action, ...seenBy(action, readSeqs), ...(assignee !== undefined && { assignee }) };
    const { data, error } = await dispatch(supportApi.endpoints.changeSupportConversations.initiate({ siteId, body }, { track: false }));
    if (!data) {
      notifyFailure(dispatch, error);
      return false;
    }
    dispatch(
      supportApi.util.invalidateTags([
        { type: 'SupportConversations', id: siteId },
        { type: 'Support', id: siteId },
      ]),
    );
    const back = backOf[action];
    const message = { key: `support:bulkDone.${action}`, values: { count: data.changed.length } };
    if (back !== undefined && data.changed.length > 0) offerBulkUndo(dispatch, message, { siteId, ids: data.changed, action: back, readSeqs });
    else if (data.unseen.length === 0) dispatch(noticeShown({ tone: 'good', message }));
    if (data.unseen.length > 0) {
      const numbers = data.unseen.slice(0, mostNamed).map(({ number }) => `#${number}`);
      const values = { count: data.unseen.length, numbers: [...numbers, ...(data.unseen.length > mostNamed ? ['…'] : [])].join(', ') };
      dispatch(noticeShown({ tone: 'warning', message: { key: 'support:bulkUnseen', values }, for: null }));
    }
    return true;
  };
}

/** The state to which undoing leads back. */
const before = ({ state, snoozedUntil }: Conversation): Change =>
  state === 'snoozed' && snoozedUntil !== null ? { state, snoozedUntil } : { state: state === 'waiting' ? 'open' : state };

/** Changes of one conversation; a changed state can be undone. `readSeq`: the last place that is on the screen. */
export function useConversationActions(siteId: string, conversation: Conversation, readSeq: number) {
  const dispatch = useAppDispatch();
  const { id } = conversation;
  const change = async (body: Change): Promise<Conversation | null> => {
    const { data, error } = await dispatch(supportApi.endpoints.changeSupportConversation.initiate({ siteId, id, body }, { track: false }));
    if (data) dispatch(conversationsChanged(siteId, [data]));
    else notifyFailure(dispatch, error);
    return data ?? null;
  };
  const changeState = async (body: Change, key: 'resolved' | 'reopened' | 'snoozed' | 'spam' | 'notSpam'): Promise<void> => {
    const undo = { siteId, id, body: before(conversation) };
    if (await change(body)) offerUndo(dispatch, { key: `support:done.${key}` }, undo, `support-${id}`);
  };
  return {
    change,
    resolve: () => changeState({ state: 'resolved', readSeq }, 'resolved'),
    reopen: () => changeState({ state: 'open' }, 'reopened'),
    snooze: (until: Date) => changeState({ state: 'snoozed', snoozedUntil: until.toISOString(), readSeq }, 'snoozed'),
    spam: () => changeState({ state: 'spam' }, 'spam'),
    notSpam: () => changeState({ state: 'open' }, 'notSpam'),
    assign: (assignee: string | null) => change({ assignee, expectedAssignee: conversation.assignee?.id ?? null }),
  };
}
