import { momentText, readText } from '../../../contract/tables/fieldText';
import { fieldTypes } from '../../../contract/tables/fieldTypes';
import type { FieldType } from '../../../contract/tables/fieldTypes';
import { importPlaces, importPlacesOf, importTypesOf } from '../../../contract/siteImport/terms';
import type { ImportPlace } from '../../../contract/siteImport/terms';
import type { ImportCollection, ImportFieldChoice, ImportMapping, ImportPlan } from '../../../contract/siteImport/schemas';
import { plainOf, richOf } from '../tables';
import { mediaOf } from './content/html';
import type { MediaUse } from './content/html';
import type { ItemRow } from './queries';
import type { FieldTarget, FieldTargets } from './schema';

/** What a person decides about single fields, and values as the fields of the table take them. */

type Field = ImportCollection['fields'][number];
const isPlace = (key: string): key is ImportPlace => key in importPlaces;
const typeOf = (type: string): FieldType => fieldTypes.find((one) => one === type) ?? 'text';
const targetOf = ({ to, type }: ImportFieldChoice, field: Field): FieldTarget => ({
  to,
  from: typeOf(field.type),
  type: to !== field.key && isPlace(to) ? importPlaces[to] : type,
});
const unchanged = ({ key, type }: Field): FieldTarget => ({ to: key, from: typeOf(type), type: typeOf(type) });

/** Fields of a collection as its table will have them, and where each field of the source goes. */
export function mappedFields(
  { fields }: Pick<ImportCollection, 'fields'>,
  choices: readonly ImportFieldChoice[] | undefined,
): { readonly fields: Field[]; readonly targets: FieldTargets } {
  const chosen = new Map(choices?.map((one) => [one.key, one]));
  const targets: Record<string, FieldTarget> = {};
  const mapped = fields.flatMap((field): Field[] => {
    const choice = chosen.get(field.key);
    if (choice?.include === false) return [];
    const target = choice ? targetOf(choice, field) : unchanged(field);
    targets[field.key] = target;
    return [{ key: target.to, title: choice?.title ?? field.title, type: target.type }];
  });
  return { fields: mapped, targets };
}

/** The first choice that the plan does not allow, by its place in the mapping; null if there is none. */
export function wrongChoice(plan: ImportPlan, { collections }: ImportMapping): string | null {
  const planned = new Map(plan.collections.map((one) => [one.key, one.fields]));
  for (const [at, { key, fields: choices = [] }] of collections.entries()) {
    const fields = new Map(planned.get(key)?.map((one) => [one.key, one]));
    const own = new Map(choices.map((one) => [one.key, one]));
    const used = new Set<string>();
    for (const field of fields.values()) {
      const choice = own.get(field.key);
      if (choice?.include === false) continue;
      const to = choice?.to ?? field.key;
      const place = `mapping.collections.${at}.fields.${choice ? choices.indexOf(choice) : 0}.to`;
      if (used.has(to)) return place;
      used.add(to);
      if (choice && !(to === field.key ? importTypesOf(field.type).includes(choice.type) : importPlacesOf(field).some((one) => one === to))) return place;
    }
    const unknown = choices.findIndex((one) => !fields.has(one.key));
    if (unknown !== -1 || own.size < choices.length) return `mapping.collections.${at}.fields.${Math.max(0, unknown)}.key`;
  }
  return null;
}

const isHtml = (text: string): boolean => /<\/?[a-z][^<>]*>/i.test(text);
/** The rich text of a value, before its links and pictures are rewritten. */
export const htmlOf = ({ from }: FieldTarget, value: string): string => (from === 'richText' || isHtml(value) ? value : richOf(value));

/** A value of the source as a field of another type takes it. One that does not fit is returned as it is, so that the table refuses it by name. */
export function converted({ from, type }: FieldTarget, value: unknown, timeZone: string): unknown {
  if (typeof value !== 'string' || from === type) return value;
  const plain = isHtml(value) ? plainOf(value) : value;
  const local = from === 'datetime' ? momentText(plain, timeZone) : plain;
  const read = readText({ type, options: {} }, type === 'date' && from === 'datetime' ? local.slice(0, 10) : local, { timeZone });
  return read.ok ? read.value : value;
}

/** Files that a record uses, as its fields take them. */
export function mediaIn({ data }: Pick<ItemRow, 'data'>, targets: FieldTargets): MediaUse[] {
  return Object.entries(data.values).flatMap(([key, value]) => {
    const target = targets[key];
    if (typeof value !== 'string' || target === undefined) return [];
    if (target.type === 'richText') return mediaOf(htmlOf(target, value), data.base);
    return target.type === 'image' && /^(?:https?|file):/.test(value) ? [{ source: value, alt: '' }] : [];
  });
}
