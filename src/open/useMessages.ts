import { createContext, use } from 'react';
import type { UiLocale } from '@/lib/preferences';
import en from './messages.en';
import zh from './messages.zh-CN';
import type { Messages } from './messages.zh-CN';

/** Both languages: together they are smaller than the overhead of a request for one of them. */
export const messagesOf: Readonly<Record<UiLocale, Messages>> = { 'zh-CN': zh, en };
export const LocaleContext = createContext<UiLocale>('zh-CN');
export const useLocale = (): UiLocale => use(LocaleContext);
export const useMessages = (): Messages => messagesOf[useLocale()];

/** `fill('共 {n} 条', {n: 3})` → `共 3 条`. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
