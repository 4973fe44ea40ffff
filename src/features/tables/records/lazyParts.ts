import { lazy } from 'react';
import type { ComponentType } from 'react';
import { withMessages } from '@/i18n';
import { loadMui, withMui } from '@/theme/mui';

/** What opens over the records or replaces the grid loads when it is opened, or when its button is pointed at. The grid itself does without MUI and forms. */
const panels = () => import(/* webpackChunkName: "record-tools" */ './toolPanels');
const dialogs = () => withMessages(import(/* webpackChunkName: "record-dialogs" */ './recordDialogs'), ['form', 'tableRecord']);
const views = () => withMessages(import(/* webpackChunkName: "record-views" */ './recordViews'), ['form', 'tableRecord']);

const lazyOf = <M, P extends object>(load: () => Promise<M>, pick: (part: M) => ComponentType<P>) =>
  lazy(() => withMui(load().then((part) => ({ default: pick(part) }))));

export const FieldsPanel = lazyOf(panels, (part) => part.FieldsPanel);
export const FilterPanel = lazyOf(panels, (part) => part.FilterPanel);
export const GroupPanel = lazyOf(panels, (part) => part.GroupPanel);
export const HistoryPanel = lazyOf(panels, (part) => part.HistoryPanel);
export const LookPanel = lazyOf(panels, (part) => part.LookPanel);
export const SortPanel = lazyOf(panels, (part) => part.SortPanel);

export const BulkDialog = lazyOf(dialogs, (part) => part.BulkDialog);
export const FailedPublicationsDialog = lazyOf(dialogs, (part) => part.FailedPublicationsDialog);
export const NewTableDialog = lazyOf(dialogs, (part) => part.NewTableDialog);
export const PasteDialog = lazyOf(dialogs, (part) => part.PasteDialog);
export const RecordDialog = lazyOf(dialogs, (part) => part.RecordDialog);
export const TablesDrawer = lazyOf(dialogs, (part) => part.TablesDrawer);
export const UnsavedDialog = lazyOf(dialogs, (part) => part.UnsavedDialog);
export const ViewDialog = lazyOf(dialogs, (part) => part.ViewDialog);

/** Most tables open as a grid; the other views are one part. */
export const CalendarView = lazyOf(views, (part) => part.CalendarView);
export const FormView = lazyOf(views, (part) => part.FormView);
export const GalleryView = lazyOf(views, (part) => part.GalleryView);
export const KanbanView = lazyOf(views, (part) => part.KanbanView);

export const preloadPanels = (): void => void Promise.all([panels(), loadMui()]).catch(() => undefined);
