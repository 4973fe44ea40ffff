import { lazy } from 'react';
import { withMessages } from '@/i18n';

/** Importing, exporting and sharing come when somebody opens them, with their words. */
export const ImportWizard = lazy(() =>
  withMessages(import(/* webpackChunkName: "table-transfer" */ './ImportWizard'), ['tableTransfer', 'tableDesign', 'form']),
);
export const ExportDialog = lazy(() => withMessages(import(/* webpackChunkName: "table-transfer" */ './ExportDialog'), ['tableTransfer', 'form']));
export const ShareDialog = lazy(() => withMessages(import(/* webpackChunkName: "table-transfer" */ '../share/ShareDialog'), ['tableTransfer', 'form']));
