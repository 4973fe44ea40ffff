import { useLocale, useMessages } from '../useMessages';
import type { Messages } from '../messages.zh-CN';
import en from './messages.en';
import zh from './messages.zh-CN';
import type { ViewMessages } from './messages.zh-CN';

/** Messages of a shared view, with those of all pages that links open. */
export const useViewMessages = (): Messages & ViewMessages => ({ ...useMessages(), ...(useLocale() === 'en' ? en : zh) });
