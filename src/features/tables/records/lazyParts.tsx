import { useEffect, useEffectEvent, useState } from 'react';
import type { ComponentType, ReactElement } from 'react';
import { noticeShown } from '@/features/notices/noticesSlice';
import { withMessages } from '@/i18n';
import { useAppDispatch } from '@/store/hooks';
import { loadMui, withMui } from '@/theme/mui';
import { lazyWithRetry } from '@/ui/lazyWithRetry';

/** What opens over the records or replaces the grid loads when it is opened, or shortly before. The grid itself does without MUI and the code of forms. */
const panels = () => import(/* webpackChunkName: "record-dialogs" */ './toolPanels');
const dialogs = () => withMessages(import(/* webpackChunkName: "record-dialogs" */ './recordDialogs'), ['form', 'tableRecord']);
const views = () => withMessages(import(/* webpackChunkName: "record-views" */ './recordViews'), ['form', 'tableRecord']);

// A part that does not arrive says so in its place, and the page with its unsaved edits stays.
const lazyOf = <M, P extends object>(load: () => Promise<M>, pick: (part: M) => ComponentType<P>) =>
  lazyWithRetry(() => withMui(load().then((part) => ({ default: pick(part) }))));

/** A dialog that closes with a notice if its code does not arrive, and tries again when it is opened again: without a connection, edits stay unsaved. */
function dialogOf<P extends { readonly onClose: () => void }>(pick: (part: Awaited<ReturnType<typeof dialogs>>) => ComponentType<P>) {
  let loaded: ComponentType<P> | undefined;
  return function LazyDialog(props: P): ReactElement | null {
    const dispatch = useAppDispatch();
    const [Dialog, setDialog] = useState(() => loaded);
    const load = useEffectEvent(async () => {
      try {
        loaded ??= (await withMui(dialogs().then((part) => ({ default: pick(part) })))).default;
        setDialog(() => loaded);
      } catch {
        dispatch(noticeShown({ tone: 'bad', message: { key: 'shell:partFailed' } }));
        props.onClose();
      }
    });
    useEffect(() => void load(), []);
    return Dialog ? <Dialog {...props} /> : null;
  };
}

export const FieldsPanel = lazyOf(panels, (part) => part.FieldsPanel);
export const FilterPanel = lazyOf(panels, (part) => part.FilterPanel);
export const GroupPanel = lazyOf(panels, (part) => part.GroupPanel);
export const HistoryPanel = lazyOf(panels, (part) => part.HistoryPanel);
export const LookPanel = lazyOf(panels, (part) => part.LookPanel);
export const SortPanel = lazyOf(panels, (part) => part.SortPanel);

export const BulkDialog = dialogOf((part) => part.BulkDialog);
export const FailedPublicationsDialog = dialogOf((part) => part.FailedPublicationsDialog);
export const NewTableDialog = dialogOf((part) => part.NewTableDialog);
export const PasteDialog = dialogOf((part) => part.PasteDialog);
export const RecordDialog = dialogOf((part) => part.RecordDialog);
export const TablesDrawer = dialogOf((part) => part.TablesDrawer);
export const UnsavedDialog = dialogOf((part) => part.UnsavedDialog);
export const ViewDialog = dialogOf((part) => part.ViewDialog);

/** Most tables open as a grid; the other views are one part. */
export const CalendarView = lazyOf(views, (part) => part.CalendarView);
export const FormView = lazyOf(views, (part) => part.FormView);
export const GalleryView = lazyOf(views, (part) => part.GalleryView);
export const KanbanView = lazyOf(views, (part) => part.KanbanView);

const quietly = (loading: Promise<unknown>): void => void loading.catch(() => undefined);
export const preloadPanels = (): void => quietly(Promise.all([panels(), loadMui()]));
export const preloadDialogs = (): void => quietly(Promise.all([dialogs(), loadMui()]));
