import type { Format } from '@/lib/format';

const units = ['B', 'KB', 'MB', 'GB', 'TB'];

/** 1 234 567 → 1.2 MB (1 KB = 1024 B, as file managers count). */
export function bytesText(bytes: number, format: Format): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? format.number(value) : format.decimal(value, 1)} ${units[unit] ?? ''}`;
}
