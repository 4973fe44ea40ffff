import type { DateStyle } from './terms';

/** `dateStyle`: instead of what a template chooses; null: that is used. `currency`: of amounts that have none of their own. */
export type Formats = { readonly language: string; readonly timeZone: string; readonly dateStyle: DateStyle | null; readonly currency: string | null };
/** An amount with its own currency (null: that of the language) and number of decimals (null: as the currency has). */
export type Money = { readonly amount: number; readonly currency: string | null; readonly decimals: number | null };

/** `value`: a day (`2026-11-26`), which no time zone shifts, or a moment. What is neither is returned as it is. */
export function dateText(value: string | number, formats: Pick<Formats, 'language' | 'timeZone' | 'dateStyle'>, style?: string): string;
/** Hours and minutes; empty for a day. */
export function timeText(value: string | number, formats: Pick<Formats, 'language' | 'timeZone'>): string;
export function numberText(value: unknown, formats: Pick<Formats, 'language'>): string;
/** Amounts are never converted. `own`: a currency that precedes all others. Without any currency, the number alone. */
export function moneyText(value: unknown, formats: Pick<Formats, 'language' | 'currency'>, own?: string): string;
