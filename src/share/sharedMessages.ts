import type { UiLocale } from '@/lib/preferences';
import en from './messages.en';
import zh from './messages.zh-CN';

/** Both languages: the reader of a share can switch immediately. */
export const sharedMessages: Readonly<Record<UiLocale, typeof zh>> = { 'zh-CN': zh, en };
