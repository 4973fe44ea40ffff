import type { UiLocale } from '@/lib/preferences';
import en from './messages.en';
import zh from './messages.zh-CN';

/** Both languages: the reader of a public link can switch immediately. */
export const publicReportsMessages: Readonly<Record<UiLocale, typeof zh>> = { 'zh-CN': zh, en };
