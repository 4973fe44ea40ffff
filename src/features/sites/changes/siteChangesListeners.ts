import { addListener, createAction } from '@reduxjs/toolkit';
import type { SitesChange } from '@contract/sites/list';
import { changesMost } from '@contract/sites/terms';
import { noticeShown } from '@/features/notices/noticesSlice';
import { i18n } from '@/i18n';
import { failureText, isFailure } from '@/lib/failure';
import { undoOfferMs } from '@/lib/undoOffer';
import type { AppDispatch, RootState } from '@/store';
import { runChanges } from './siteChanges';
import type { ChangeStep, ChangesResult, NotChanged } from './siteChanges';
import { sitePagesApi } from '../sitePagesApi';
import { replacedById, selectSite } from '../sitesSlice';

/** What is done to the sites, for the notices. */
export type ChangeName = 'tags' | 'archived' | 'open' | 'pinned' | 'unpinned' | 'undone';
export const nameOfChange = (change: SitesChange): ChangeName =>
  change.kind === 'tags' ? 'tags' : change.kind === 'move' ? (change.to === 'archived' ? 'archived' : 'open') : change.pinned ? 'pinned' : 'unpinned';

/** Changes many sites. Plain data, so that a notice can contain its undo. */
export const siteChangesRequested = createAction<{ readonly steps: readonly ChangeStep[]; readonly name: ChangeName }>('sites/changesRequested');
const siteChangesCancelled = createAction('sites/changesCancelled');

/** Names that a notice lists for one reason. */
const namesMost = 5;
const noticeId = 'site-changes';

/** Why sites did not change: each reason with the first names. */
export function reasonsOf(failed: readonly NotChanged[], locale: string): string {
  const byError = new Map<string, string[]>();
  for (const { name, error } of failed) byError.set(error, [...(byError.get(error) ?? []), name]);
  const list = new Intl.ListFormat(locale, { type: 'unit' });
  return Array.from(byError, ([error, names]) => {
    const first = names.slice(0, namesMost);
    return `${error} ${list.format(names.length > namesMost ? [...first, `+${String(names.length - namesMost)}`] : first)}`;
  }).join(' · ');
}

const progress = (done: number, total: number): Parameters<typeof noticeShown>[0] => ({
  id: noticeId,
  message: { key: 'siteChanges:changes.running', values: { done, total } },
  for: null,
  action: { message: { key: 'siteChanges:changes.cancel' }, does: siteChangesCancelled() },
});

/** Reports the end in one notice: what changed, with its undo, and what did not, and why. */
function report(dispatch: AppDispatch, name: ChangeName, { changed, undo, failed }: ChangesResult, cancelled: boolean): void {
  const [key, values] = [`siteChanges:changes.${cancelled ? ('cancelled' as const) : name}` as const, { count: changed }];
  const action = { message: { key: 'shell:undo' }, does: siteChangesRequested({ steps: undo, name: 'undone' }) };
  const offered = name !== 'undone' && undo.length > 0 ? { action } : {};
  if (failed.length === 0) {
    dispatch(noticeShown({ id: noticeId, message: { key, values }, ...offered, for: undoOfferMs }));
    return;
  }
  const reasons = i18n.t('siteChanges:changes.failed', { count: failed.length, reasons: reasonsOf(failed, i18n.language) });
  dispatch(noticeShown({ id: noticeId, tone: 'bad', message: { text: changed === 0 ? reasons : `${i18n.t(key, values)} · ${reasons}` }, ...offered }));
}

const textOf = (error: unknown): string => {
  const text = isFailure(error) ? failureText(error) : { text: String(error) };
  return 'text' in text ? text.text : i18n.t(text.key, text.values);
};

/** Call by call, with progress and a way to stop. The sites appear changed as the calls return, also on other pages. */
export const changesListener = addListener.withTypes<RootState, AppDispatch>()({
  actionCreator: siteChangesRequested,
  effect: async ({ payload: { steps, name } }, { dispatch, getState, take }) => {
    let isCancelled = false;
    const stop = take(siteChangesCancelled.match).then(
      () => {
        isCancelled = true;
      },
      () => undefined,
    );
    void stop;
    const result = await runChanges(steps, {
      siteOf: (id) => selectSite(getState(), id),
      send: async ({ siteIds, change }) => {
        const changed = await dispatch(sitePagesApi.endpoints.changeSites.initiate({ body: { siteIds: [...siteIds], change } })).unwrap();
        for (const site of changed.sites) dispatch(replacedById(site));
        return changed;
      },
      errorOf: textOf,
      onProgress: (done, total) => {
        if (total > changesMost && !isCancelled) dispatch(noticeShown(progress(done, total)));
      },
      isCancelled: () => isCancelled,
    });
    report(dispatch, name, result, isCancelled);
  },
});
