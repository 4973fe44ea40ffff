import type { ConversationList } from '@contract/support/terms';
import type { StateOf } from '@/lib/searchState';
import { oneOf, text } from '@/lib/searchState';

/** Lists, in their order. */
export const views = ['unassigned', 'mine', 'all', 'forms', 'snoozed', 'resolved', 'spam'] as const satisfies readonly ConversationList[];

/** Tabs of the settings, in their order; each has an address. */
export const settingsTabs = ['look', 'hours', 'form', 'notices', 'code', 'canned', 'blocks', 'statistics'] as const;
export type SettingsTab = (typeof settingsTabs)[number];

/** Everything that is open on the screen. `pane`: which one a phone shows beside the open conversation. */
export const address = {
  view: oneOf(views, 'unassigned'),
  q: text(),
  conversation: text('', 40),
  pane: oneOf(['conversation', 'visitor'], 'conversation'),
  settings: oneOf(['', ...settingsTabs], ''),
};
export type Address = StateOf<typeof address>;
