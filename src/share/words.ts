import type { UiLocale } from '@/lib/preferences';
import en from './messages.en';
import zh from './messages.zh-CN';

/** Both languages: a guest changes between them at once. */
export const sharedWords: Readonly<Record<UiLocale, typeof zh>> = { 'zh-CN': zh, en };
