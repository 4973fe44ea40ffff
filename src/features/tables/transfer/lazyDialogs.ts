import { lazy } from 'react';
import { withMessages } from '@/i18n';

/** Import, export and sharing are loaded with their messages when they are opened. */
export const ImportWizard = lazy(() =>
  withMessages(import(/* webpackChunkName: "table-transfer" */ './ImportWizard'), ['tableTransfer', 'tableDesign', 'form']),
);
export const ExportDialog = lazy(() => withMessages(import(/* webpackChunkName: "table-transfer" */ './ExportDialog'), ['tableTransfer', 'form']));
export const PublicLinksDialog = lazy(() =>
  withMessages(import(/* webpackChunkName: "table-transfer" */ '@/features/tables/publicLinks/PublicLinksDialog'), ['tableTransfer', 'form']),
);
