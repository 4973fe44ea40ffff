import { useMemo, useState } from 'react';
import type { Grants } from '@contract/people/schemas';
import { mayManage } from '@contract/permissions';
import type { SiteRole } from '@contract/permissions';
import { noticeShown } from '@/features/notices/noticesSlice';
import { selectMay, selectSession } from '@/features/session/sessionSlice';
import { useDraft } from '@/features/session/useDraft';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { changesOf, mostChanges, conflictingCells, withoutSavedEdits, tableOf, withEdit } from './grantDraft';
import type { GrantDraft } from './grantDraft';
import { useChangeGrantsMutation } from './peopleApi';

const none: GrantDraft = {};

/** Unsaved cells of the matrix, stored as a draft, and saving them in one call. */
export function useGrantEdits(grants: Grants) {
  const dispatch = useAppDispatch();
  const session = useAppSelector(selectSession);
  const mayAtAll = useAppSelector((state) => selectMay(state, 'people.manage'));
  const { restored, keep, drop } = useDraft<GrantDraft>('people.grants');
  const [edits, setEdits] = useState<GrantDraft>(restored ?? none);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [send, { isLoading }] = useChangeGrantsMutation();

  const table = useMemo(() => tableOf(grants.grants), [grants]);
  const draft = useMemo(() => {
    const users = new Set(grants.people.map((one) => one.id));
    const sites = new Set(grants.sites.map((one) => one.id));
    return withoutSavedEdits(table, edits, (key) => {
      const [userId = '', siteId = ''] = key.split(' ');
      return users.has(userId) && sites.has(siteId);
    });
  }, [table, edits, grants]);
  const changes = changesOf(draft);
  const conflicting = useMemo(() => new Set(conflictingCells(table, draft)), [table, draft]);

  const put = (next: GrantDraft) => {
    setEdits(next);
    setFailure(null);
    if (Object.keys(next).length === 0) drop();
    else keep(next);
  };
  /** Resolves to whether the changes have been saved. */
  const save = async (): Promise<boolean> => {
    if (isLoading || changes.length === 0 || changes.length > mostChanges) return false;
    setFailure(null);
    const { error } = await send({ body: { changes } });
    if (isFailure(error)) {
      setFailure(error);
      return false;
    }
    put(none);
    dispatch(noticeShown({ tone: 'good', message: { key: 'people:grants.saved', values: { n: changes.length } } }));
    return true;
  };
  return {
    table,
    draft,
    changes,
    conflicting,
    failure,
    saving: isLoading,
    mayEdit: (person: Grants['people'][number]) => mayAtAll && session !== null && mayManage(session.role, person.role),
    edit: (key: string, role: SiteRole | null) => put(withEdit(table, draft, key, role)),
    discard: () => put(none),
    save,
  };
}
