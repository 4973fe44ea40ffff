import type { SiteParts } from '@contract/publishing/schemas';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { publishingApi, useChangeSitePartMutation, useCreateReleaseMutation } from '@/features/publishing/publishingApi';
import { isFailure, isStale } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { dashboardApi } from '../dashboardApi';
import type { Fix, Redirect } from './FixPanel';

type Part = SiteParts['redirects'];

/** The redirects with another one of an old address: null removes it. `at`: the place of one that is not there, since the first of several patterns counts. */
export const replaced = (content: Part['content'], from: string, redirect: Redirect | null, at = content.length): Part['content'] =>
  redirect === null
    ? content.filter((one) => one.from !== from)
    : content.some((one) => one.from === from)
      ? content.map((one) => (one.from === from ? redirect : one))
      : content.toSpliced(at, 0, redirect);

/** Changes one redirect and publishes the redirects alone. `stale`: somebody else has changed them, and what they are now was read. */
export function useRedirectFix(siteId: string, path: string) {
  const { t } = useTranslation('dashboard');
  const dispatch = useAppDispatch();
  const [change] = useChangeSitePartMutation();
  const [release] = useCreateReleaseMutation();
  const [state, setState] = useState<{ readonly busy: boolean; readonly failure: ApiFailure | null; readonly stale: boolean }>({
    busy: false,
    failure: null,
    stale: false,
  });

  async function publish(part: Part, from: string, redirect: Redirect | null, place?: number): Promise<Fix | null> {
    setState({ busy: true, failure: null, stale: false });
    try {
      const at = part.content.findIndex((one) => one.from === from);
      const before = part.content[at] ?? null;
      const body = replaced(part.content, from, redirect, place);
      if (body.length !== part.content.length || before !== redirect) await change({ siteId, part: 'redirects', revision: part.revision, body }).unwrap();
      const { working } = await dispatch(
        publishingApi.endpoints.unreleased.initiate({ siteId, parts: 'redirects' }, { forceRefetch: true, subscribe: false }),
      ).unwrap();
      const note = t('causes.live.note', { path }).slice(0, 200);
      const published = await release({ siteId, body: { working, note, records: [], parts: ['redirects'] } }).unwrap();
      dispatch(dashboardApi.util.invalidateTags([{ type: 'Dashboard', id: siteId }]));
      setState({ busy: false, failure: null, stale: false });
      return { release: published, before, at };
    } catch (error) {
      const failure = isFailure(error) ? error : null;
      const stale = failure !== null && isStale(failure);
      if (stale) dispatch(publishingApi.util.invalidateTags([{ type: 'Publishing', id: siteId }]));
      setState({ busy: false, failure: stale ? null : failure, stale });
      return null;
    }
  }
  return { ...state, publish };
}
