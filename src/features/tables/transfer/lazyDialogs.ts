import { lazy } from 'react';
import { withMessages } from '@/i18n';
import { withMui } from '@/theme/mui';

/** Import, export and sharing are loaded with their messages when they are opened. */
export const ImportWizard = lazy(() =>
  withMui(withMessages(import(/* webpackChunkName: "table-transfer" */ './ImportWizard'), ['tableTransfer', 'tableDesign', 'form'])),
);
export const ExportDialog = lazy(() => withMui(withMessages(import(/* webpackChunkName: "table-transfer" */ './ExportDialog'), ['tableTransfer', 'form'])));
export const PublicLinksDialog = lazy(() =>
  withMui(withMessages(import(/* webpackChunkName: "table-transfer" */ '@/features/tables/publicLinks/PublicLinksDialog'), ['tableTransfer', 'form'])),
);
