import { createRequire } from 'node:module';
import type DeviceModels from 'which-browser/src/data/DeviceModels.js';
import type index from 'which-browser/data/indices/models-android.js';
import type models from 'which-browser/data/models-android.js';

const require = createRequire(import.meta.url);
/** Loaded with the first Android device whose type the browser does not state. */
const tables = () => ({
  models: (require('which-browser/data/models-android.js') as typeof models).ANDROID_MODELS,
  index: (require('which-browser/data/indices/models-android.js') as typeof index).ANDROID_INDEX,
});
const withoutSuffixes = (name: string): string => (require('which-browser/src/data/DeviceModels.js') as typeof DeviceModels).cleanup(name);

/**
 * One entry of the table: a model name, or a pattern that a name starts with, and either its type or more specific entries below it. The table's keys are
 * `NAME`, `PATTERN!` and `PATTERN!!` (with entries below).
 */
type Entry = { readonly matches: (model: string) => boolean; readonly type: string; readonly below: readonly Entry[] | null };

function entryOf(key: string, value: unknown): Entry {
  const written = key.replace('(?i)', '').replace('\\-', '-');
  const text = written.replace(/!+$/, '');
  const pattern = text === written ? null : new RegExp(`^(?:${text})`, 'iu');
  const lower = text.toLowerCase();
  const matches = (model: string): boolean => (pattern ? pattern.test(model) : model.toLowerCase() === lower);
  if (written.endsWith('!!') && typeof value === 'object' && value !== null)
    return { matches, type: '', below: Object.entries(value).map(([name, more]) => entryOf(name, more)) };
  return { matches, type: typeIn(value), below: null };
}

/** The type in `[maker, model, type?, flag?]`; a type may be an array with a subtype, and parts may be in an object. */
function typeIn(value: unknown): string {
  if (!Array.isArray(value)) return '';
  const named: unknown = value.find((part): part is { type: unknown } => typeof part === 'object' && part !== null && 'type' in part)?.type;
  const type: unknown = value[2] ?? named;
  if (Array.isArray(type)) return String(type[0]);
  return typeof type === 'string' ? type : 'mobile';
}

/** The table has 20 000 models; entries are parsed when a model with the same first letters occurs, which is rare for most of them. */
const read = new Map<string, readonly Entry[]>();
function entriesOf(beginning: string): readonly Entry[] {
  let entries = read.get(beginning);
  if (entries === undefined) {
    const { index: names, models: values } = tables();
    entries = (names[beginning] ?? []).flatMap((name) => {
      const key = String(name);
      const value = values[key] ?? values[key.replaceAll('\\', '')];
      try {
        return value === undefined ? [] : [entryOf(key, value)];
      } catch {
        // The pattern is not valid in JavaScript.
        return [];
      }
    });
    if (names[beginning] !== undefined) read.set(beginning, entries);
  }
  return entries;
}

function find(entries: readonly Entry[], model: string): string {
  for (const entry of entries) {
    if (!entry.matches(model)) continue;
    const type = entry.below ? find(entry.below, model) : entry.type;
    if (type !== '') return type;
  }
  return '';
}

/** The type of an Android model in WhichBrowser's terms (`tablet`, `television`, `ereader`, …); '' if unknown. */
export function androidModelType(name: string): string {
  const model = withoutSuffixes(name.slice(0, 100));
  return find(entriesOf(`@${model.slice(0, 2).toUpperCase()}`), model);
}
