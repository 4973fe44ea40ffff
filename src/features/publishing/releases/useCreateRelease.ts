import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isFailure, isStale } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { isoOf } from '@/lib/zoned';
import { useAppDispatch } from '@/store/hooks';
import { readMoment } from '@/ui/date/DateInput';
import { useCreateReleaseMutation } from '../publishingApi';
import { refusedRecords, releasedRecords } from './selection';
import type { LeftOut } from './selection';
import type { Unreleased } from './types';

/** What a person has entered for the next release. `publishAt`: local time of the site as a date field has it; null: at once. */
export type ReleaseDraft = { readonly note: string; readonly leftOut: LeftOut; readonly publishAt: string | null };
export const emptyDraft: ReleaseDraft = { note: '', leftOut: {}, publishAt: null };

/** Publishes what the preview lists, at once or at a time. `timeError` belongs to the time, `refused` are records that cannot be published as they are, `isOutdated`: the working copy has changed since it was listed. */
export function useCreateRelease(site: Site, onDone: () => void) {
  const { t } = useTranslation(['publishing', 'form']);
  const dispatch = useAppDispatch();
  const [create, { isLoading }] = useCreateReleaseMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [refused, setRefused] = useState<ReturnType<typeof refusedRecords>>([]);
  const [timeError, setTimeError] = useState<string | undefined>(undefined);

  const timeOf = (publishAt: string): string | null => {
    const iso = readMoment('datetime', publishAt) === null ? null : isoOf(publishAt, site.timeZone, null);
    const problem = iso === null ? t('form:date.momentFormat') : Date.parse(iso) <= Date.now() ? t('next.past') : undefined;
    setTimeError(problem);
    return problem === undefined ? iso : null;
  };
  const send = async (unreleased: Unreleased, { note, leftOut, publishAt }: ReleaseDraft): Promise<void> => {
    setFailure(null);
    const at = publishAt === null ? undefined : timeOf(publishAt);
    if (at === null) return;
    const body = {
      working: unreleased.working,
      note: note.trim(),
      records: releasedRecords(leftOut, unreleased.tables),
      ...(at === undefined ? {} : { publishAt: at }),
    };
    const { data, error } = await create({ siteId: site.id, body });
    if (data) {
      const key = data.state === 'scheduled' ? 'publishing:next.scheduled' : 'publishing:next.published';
      dispatch(noticeShown({ tone: 'good', message: { key, values: { number: data.number } } }));
      onDone();
    } else if (isFailure(error)) {
      setFailure(error);
      setRefused(refusedRecords(error, body.records));
    }
  };
  return {
    send,
    busy: isLoading,
    failure: failure && isStale(failure) ? null : failure,
    refused,
    isOutdated: failure !== null && isStale(failure),
    timeError,
    clearTimeError: () => setTimeError(undefined),
  };
}
