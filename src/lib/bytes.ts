import type { Format } from './format';

const units = ['B', 'KB', 'MB', 'GB'] as const;

/** 1 234 567 → 1.2 MB (1 KB = 1024 B, as file managers count); without decimals if whole: 50 MB. */
export function bytesText(bytes: number, format: Format): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${Number.isInteger(value) ? format.number(value) : format.decimal(value, 1)} ${units[unit] ?? ''}`;
}
