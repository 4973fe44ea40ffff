import { readText } from '@contract/tables/fieldText';
import type { ShownField } from '../fieldTypes/env';
import type { Parsed } from '../grid/types';

/**
 * The value of text typed or pasted into a cell. Text that does not parse (an invalid date, an unknown choice) is sent to the server as typed, which refuses it
 * with a reason; so no input is lost.
 */
export function typedValue(field: ShownField, text: string, timeZone: string): Parsed {
  const read = readText(field, text, { timeZone });
  return { value: read.ok ? read.value : text.trim() };
}
