import type { DateStyle } from './terms';

/** `dateStyle` replaces the style for which a template asks; null keeps that one. `currency` is for amounts without a currency of their own. */
export type Formats = { readonly language: string; readonly timeZone: string; readonly dateStyle: DateStyle | null; readonly currency: string | null };
/** An amount with its own currency (null: that of the language) and number of decimals (null: as the currency has). */
export type Money = { readonly amount: number; readonly currency: string | null; readonly decimals: number | null };

/** Whether a value is a day without a time, such as `2026-11-26`. */
export function isDay(value: unknown): boolean;
/** Formats a day, which is the same in every time zone, or a moment in the given one. A value that is not a date is returned unchanged, as text. */
export function dateText(value: string | number, formats: Pick<Formats, 'language' | 'timeZone' | 'dateStyle'>, style?: string): string;
/** Hours and minutes of a moment; empty for a day. A value that is not a date is returned unchanged, as text. */
export function timeText(value: string | number, formats: Pick<Formats, 'language' | 'timeZone'>): string;
export function numberText(value: unknown, formats: Pick<Formats, 'language'>): string;
/** Formats an amount without converting it: in the currency `own`, else in that of the value, else in that of the formats. Without any currency, writes the number alone. */
export function moneyText(value: unknown, formats: Pick<Formats, 'language' | 'currency'>, own?: string): string;
