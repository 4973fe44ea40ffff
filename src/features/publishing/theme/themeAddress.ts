import { language, oneOf, text } from '@/lib/searchState';
import type { StateOf } from '@/lib/searchState';

/** The state of the tab in its address. `tag`: language of the texts in the settings; `file`: the open one; `show`: the file itself, its history or its difference from the shipped one. */
export const themeAddress = {
  view: oneOf(['settings', 'files', 'preview'], 'settings'),
  tag: language(),
  file: text('', 200),
  show: oneOf(['text', 'history', 'shipped'], 'text'),
};
export type ThemeAddress = StateOf<typeof themeAddress>;
