import { readText } from '@contract/tables/fieldText';
import type { ShownField } from '../fields/env';
import type { Parsed } from '../grid/types';

/**
 * What was typed or pasted into a cell, as a value. A text that is none (a wrong date, an unknown choice) goes to the server as it was typed,
 * which refuses it with its reason; so nothing typed is lost.
 */
export function typedValue(field: ShownField, text: string, timeZone: string): Parsed {
  const read = readText(field, text, { timeZone });
  return { value: read.ok ? read.value : text.trim() };
}
