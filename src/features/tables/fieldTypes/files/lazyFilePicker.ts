import { withMessages } from '@/i18n';
import { lazyWithRetry } from '@/ui/lazyWithRetry';

/** `FilePicker`, whose code and messages load when it opens. */
export const FilePicker = lazyWithRetry(async () => {
  const part = await withMessages(import(/* webpackChunkName: "file-picker" */ './FilePicker'), ['resources']);
  return { default: part.FilePicker };
});
