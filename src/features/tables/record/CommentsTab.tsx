import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordComment } from '@contract/tables/records';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { defineUndo } from '@/features/notices/undoListeners';
import { selectSession } from '@/features/session/sessionSlice';
import { useDraft } from '@/features/session/useDraft';
import { isFailure, isStale } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { ResultState } from '@/ui/ResultState';
import { useConfirm } from '@/ui/confirmContext';
import { EmptyState } from '@/ui/EmptyState';
import { StaleNotice } from '@/ui/form/StaleNotice';
import { RowsSkeleton } from '@/ui/skeletons';
import { useFieldEnv } from '../fieldTypes/env';
import { MentionBox } from './MentionBox';
import { draftOf, draftParts, emptyDraft, storedText } from './mentionDraft';
import type { MentionDraft } from './mentionDraft';
import { recordApi, useAddCommentMutation, useChangeCommentMutation, useCommentsQuery, useRemoveCommentMutation } from './recordApi';
import type { OfRecord } from './recordApi';

/** Shows why a comment was refused, such as a mention of somebody who has lost access meanwhile. */
function useShowFailure(): (failure: ApiFailure) => void {
  const dispatch = useAppDispatch();
  return (failure) => {
    const lostAccess = failure.fields?.['text']?.code === 'unknown';
    const message = lostAccess ? { key: 'tableRecord:comments.noAccess' } : failureMessage(failure);
    dispatch(noticeShown({ tone: 'bad', message, requestId: failure.requestId }));
  };
}

/** Notifies of a failure; resolves with whether the call succeeded. */
function useNotifyOnFailure(): (call: PromiseLike<{ error?: unknown }>) => Promise<boolean> {
  const showFailure = useShowFailure();
  return async (call) => {
    const { error } = await call;
    if (isFailure(error)) showFailure(error);
    return error === undefined;
  };
}

/** The text of a comment with the names of the people it mentions. */
const CommentText = ({ comment }: Pick<CommentProps, 'comment'>): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const own = useAppSelector(selectSession)?.userId;
  const parts = draftParts(draftOf(comment, t('deletedUser')));
  return (
    <div className="rec-said">
      {parts.map((part) =>
        typeof part === 'string' ? part : <span key={part.start} className="rec-mention" data-own={part.id === own || undefined}>{`@${part.name}`}</span>,
      )}
    </div>
  );
};

/** A comment being edited, based on a revision; `theirs`: the version saved elsewhere meanwhile, until the conflict is resolved. */
type Editing = { readonly draft: MentionDraft; readonly revision: number; readonly theirs: RecordComment | null };

type CommentProps = { readonly of: OfRecord; readonly comment: RecordComment; readonly mayRemove: boolean };

const notifyCommentRemoved = defineUndo<OfRecord & { readonly comment: string }>('tables/commentRemovalUndone', (dispatch, comment) =>
  dispatch(recordApi.endpoints.restoreComment.initiate(comment)),
);

const CommentActions = ({ of, comment, mayRemove, onEdit }: CommentProps & { readonly onEdit: () => void }): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const dispatch = useAppDispatch();
  const notifyOnFailure = useNotifyOnFailure();
  const confirm = useConfirm();
  const [change, { isLoading }] = useChangeCommentMutation();
  const [remove] = useRemoveCommentMutation();
  const done = comment.resolvedAt !== null;
  const confirmRemoval = async (): Promise<void> => {
    if (!(await confirm({ title: t('comments.removeTitle'), confirm: t('comments.remove'), danger: true }))) return;
    const removed = { ...of, comment: comment.id };
    if (await notifyOnFailure(remove(removed))) notifyCommentRemoved(dispatch, { key: 'tableRecord:comments.removed' }, removed);
  };
  return (
    <>
      <Button disabled={isLoading} onClick={() => void notifyOnFailure(change({ ...of, comment: comment.id, body: { resolved: !done } }))}>
        {t(done ? 'comments.reopen' : 'comments.resolve')}
      </Button>
      {comment.own && <Button onClick={onEdit}>{t('comments.edit')}</Button>}
      {(comment.own || mayRemove) && <Button onClick={() => void confirmRemoval()}>{t('comments.remove')}</Button>}
    </>
  );
};

const Comment = ({ of, comment, mayRemove }: CommentProps): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const { format } = useFieldEnv();
  const [change, { isLoading }] = useChangeCommentMutation();
  const showFailure = useShowFailure();
  const [editing, setEditing] = useState<Editing | null>(null);
  const done = comment.resolvedAt !== null;
  const deletedName = t('deletedUser');
  const canSave = editing !== null && editing.draft.text.trim() !== '' && editing.theirs === null && !isLoading;
  const save = async ({ draft, revision }: Pick<Editing, 'draft' | 'revision'>): Promise<void> => {
    const { error } = await change({ ...of, comment: comment.id, revision, body: { text: storedText(draft) } });
    if (isFailure(error) && isStale(error)) return setEditing({ draft, revision, theirs: error.current as RecordComment });
    if (isFailure(error)) return showFailure(error);
    setEditing(null);
  };
  return (
    <li className={done ? 'rec-settled' : ''}>
      <p>
        <b>{comment.by === '' ? t('deletedUser') : comment.by}</b>
        <time dateTime={comment.at} title={format.dateTime(comment.at)}>
          {format.relative(comment.at)}
        </time>
        {done && <span>{t('comments.resolved')}</span>}
      </p>
      {editing === null ? (
        <CommentText comment={comment} />
      ) : (
        <MentionBox
          of={of}
          label={t('comments.edit')}
          draft={editing.draft}
          onDraft={(draft) => setEditing({ ...editing, draft })}
          onSubmit={() => canSave && void save(editing)}
        />
      )}
      {editing?.theirs && (
        <StaleNotice
          differences={[{ label: t('comments.text'), mine: editing.draft.text, theirs: draftOf(editing.theirs, deletedName).text }]}
          onKeepMine={() => void save({ draft: editing.draft, revision: editing.theirs?.revision ?? editing.revision })}
          onTakeTheirs={() => setEditing(null)}
        />
      )}
      <div>
        {editing === null ? (
          <CommentActions
            of={of}
            comment={comment}
            mayRemove={mayRemove}
            onEdit={() => setEditing({ draft: draftOf(comment, deletedName), revision: comment.revision, theirs: null })}
          />
        ) : (
          <>
            <Button onClick={() => setEditing(null)}>{t('comments.cancel')}</Button>
            <Button variant="contained" disabled={!canSave} aria-busy={isLoading} onClick={() => void save(editing)}>
              {t('save')}
            </Button>
          </>
        )}
      </div>
    </li>
  );
};

/** Comments on a record. Resolved threads are collapsed. */
export const CommentsTab = ({ of, mayRemove }: { readonly of: OfRecord; readonly mayRemove: boolean }): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const notifyOnFailure = useNotifyOnFailure();
  const result = useCommentsQuery(of);
  const [add, { isLoading }] = useAddCommentMutation();
  const { restored, keep, drop } = useDraft<MentionDraft | string>(`comment:${of.id}`);
  // Before comments had mentions, a draft was its text.
  const [draft, setDraft] = useState<MentionDraft>(typeof restored === 'string' ? { text: restored, mentions: [] } : (restored ?? emptyDraft));
  const [all, setAll] = useState(false);
  const send = async (): Promise<void> => {
    if (draft.text.trim() === '' || isLoading || !(await notifyOnFailure(add({ ...of, body: { text: storedText(draft) } })))) return;
    drop();
    setDraft(emptyDraft);
  };
  return (
    <>
      <ResultState result={result} skeleton={<RowsSkeleton rows={3} />}>
        {(comments) => {
          const resolvedCount = comments.filter(({ resolvedAt }) => resolvedAt !== null).length;
          const visibleComments = comments.filter(({ resolvedAt }) => all || resolvedAt === null);
          return (
            <>
              {comments.length === 0 && <EmptyState title={t('comments.none')}>{t('comments.noneText')}</EmptyState>}
              {resolvedCount > 0 && (
                <Button onClick={() => setAll(!all)}>{all ? t('comments.hideResolved') : t('comments.showResolved', { count: resolvedCount })}</Button>
              )}
              <ul className="rec-comments">
                {visibleComments.map((comment) => (
                  <Comment key={comment.id} of={of} comment={comment} mayRemove={mayRemove} />
                ))}
              </ul>
            </>
          );
        }}
      </ResultState>
      <form
        className="rec-say"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <MentionBox
          of={of}
          label={t('comments.write')}
          placeholder={t('comments.writeHint')}
          draft={draft}
          onDraft={(changed) => {
            setDraft(changed);
            keep(changed);
          }}
          onSubmit={() => void send()}
        />
        <Button type="submit" variant="contained" aria-busy={isLoading} disabled={draft.text.trim() === ''}>
          {t('comments.send')}
        </Button>
      </form>
    </>
  );
};
