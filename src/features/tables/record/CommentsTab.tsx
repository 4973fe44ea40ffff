import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordComment } from '@contract/tables/records';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { useDraft } from '@/features/session/useDraft';
import { isFailure, isStale } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { ResultState } from '@/ui/ResultState';
import { useConfirm } from '@/ui/confirmContext';
import { EmptyState } from '@/ui/EmptyState';
import { StaleNotice } from '@/ui/form/StaleNotice';
import { RowsSkeleton } from '@/ui/skeletons';
import { useFieldEnv } from '../fieldTypes/env';
import { useAddCommentMutation, useChangeCommentMutation, useCommentsQuery, useRemoveCommentMutation } from './recordApi';
import type { OfRecord } from './recordApi';

const most = 4000;

/** Notifies of a failure; resolves with whether the call succeeded. */
function useFailureNotice(): (call: PromiseLike<{ error?: unknown }>) => Promise<boolean> {
  const dispatch = useAppDispatch();
  return async (call) => {
    const { error } = await call;
    if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', message: failureMessage(error), requestId: error.requestId }));
    return error === undefined;
  };
}

/** A comment being edited, based on a revision; `theirs`: the version saved elsewhere meanwhile, until the conflict is resolved. */
type Editing = { readonly text: string; readonly revision: number; readonly theirs: RecordComment | null };

type CommentProps = { readonly of: OfRecord; readonly comment: RecordComment; readonly mayRemove: boolean };

const CommentActions = ({ of, comment, mayRemove, onEdit }: CommentProps & { readonly onEdit: () => void }): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const notifyOnFailure = useFailureNotice();
  const confirm = useConfirm();
  const [change, { isLoading }] = useChangeCommentMutation();
  const [remove] = useRemoveCommentMutation();
  const done = comment.resolvedAt !== null;
  const confirmRemoval = async (): Promise<void> => {
    if (await confirm({ title: t('comments.removeTitle'), confirm: t('comments.remove'), danger: true }))
      await notifyOnFailure(remove({ ...of, comment: comment.id }));
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
  const dispatch = useAppDispatch();
  const [editing, setEditing] = useState<Editing | null>(null);
  const done = comment.resolvedAt !== null;
  const save = async ({ text, revision }: Pick<Editing, 'text' | 'revision'>): Promise<void> => {
    const { error } = await change({ ...of, comment: comment.id, revision, body: { text: text.trim() } });
    if (isFailure(error) && isStale(error)) return setEditing({ text, revision, theirs: error.current as RecordComment });
    if (isFailure(error)) return void dispatch(noticeShown({ tone: 'bad', message: failureMessage(error), requestId: error.requestId }));
    setEditing(null);
  };
  return (
    <li className={done ? 'rec-settled' : ''}>
      <p>
        <b>{comment.by === '' ? t('history.nobody') : comment.by}</b>
        <time dateTime={comment.at} title={format.dateTime(comment.at)}>
          {format.relative(comment.at)}
        </time>
        {done && <span>{t('comments.resolved')}</span>}
      </p>
      {editing === null ? (
        <div className="rec-said">{comment.text}</div>
      ) : (
        <textarea
          className="tables-input"
          aria-label={t('comments.edit')}
          rows={3}
          maxLength={most}
          value={editing.text}
          onChange={(event) => setEditing({ ...editing, text: event.currentTarget.value })}
        />
      )}
      {editing?.theirs && (
        <StaleNotice
          differences={[{ label: t('comments.text'), mine: editing.text, theirs: editing.theirs.text }]}
          onKeepMine={() => void save({ text: editing.text, revision: editing.theirs?.revision ?? editing.revision })}
          onTakeTheirs={() => setEditing(null)}
        />
      )}
      <div>
        {editing === null ? (
          <CommentActions
            of={of}
            comment={comment}
            mayRemove={mayRemove}
            onEdit={() => setEditing({ text: comment.text, revision: comment.revision, theirs: null })}
          />
        ) : (
          <>
            <Button onClick={() => setEditing(null)}>{t('comments.cancel')}</Button>
            <Button
              variant="contained"
              disabled={editing.text.trim() === '' || editing.theirs !== null || isLoading}
              aria-busy={isLoading}
              onClick={() => void save(editing)}
            >
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
  const notifyOnFailure = useFailureNotice();
  const result = useCommentsQuery(of);
  const [add, { isLoading }] = useAddCommentMutation();
  const { restored, keep, drop } = useDraft<string>(`comment:${of.id}`);
  const [text, setText] = useState(restored ?? '');
  const [all, setAll] = useState(false);
  const send = async (): Promise<void> => {
    if (text.trim() === '' || isLoading || !(await notifyOnFailure(add({ ...of, body: { text: text.trim() } })))) return;
    drop();
    setText('');
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
        <textarea
          className="tables-input"
          aria-label={t('comments.write')}
          placeholder={t('comments.write')}
          rows={3}
          maxLength={most}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            keep(event.currentTarget.value);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
          }}
        />
        <Button type="submit" variant="contained" aria-busy={isLoading} disabled={text.trim() === ''}>
          {t('comments.send')}
        </Button>
      </form>
    </>
  );
};
