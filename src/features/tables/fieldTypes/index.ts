import { fieldTypes } from '@contract/tables/terms';
import type { FieldType } from '@contract/tables/terms';
import { barcode } from './barcode';
import { multiSelect, select, switch as switchType, tags } from './choices';
import { button, formula, lookup, rollup } from './computed';
import { date, datetime, time } from './dates';
import type { ConsoleFieldType, PaletteGroup } from './definition';
import { inverse, relation, relations, user } from './links';
import { autonumber, currency, duration, integer, number, percent, rating } from './numbers';
import { file, geo, image, json, repeater, svg, video } from './structures';
import { color, email, longText, markdown, password, phone, richText, slug, text, url } from './texts';

/** What the console shows of each field type; within a palette group in this order. */
const definitions: Readonly<Record<FieldType, ConsoleFieldType>> = {
  text,
  longText,
  markdown,
  richText,
  email,
  url,
  phone,
  slug,
  barcode,
  integer,
  number,
  currency,
  percent,
  rating,
  duration,
  autonumber,
  select,
  multiSelect,
  tags,
  switch: switchType,
  color,
  date,
  time,
  datetime,
  image,
  file,
  video,
  svg,
  relation,
  relations,
  inverse,
  lookup,
  rollup,
  formula,
  button,
  user,
  geo,
  json,
  repeater,
  password,
};
export const consoleFieldTypeOf = (type: FieldType): ConsoleFieldType => definitions[type];
export const isFieldType = (name: string): name is FieldType => (fieldTypes as readonly string[]).includes(name);
/** Field types in display order. */
export const listedTypes = Object.keys(definitions) as readonly FieldType[];
export const typesOfGroup = (group: PaletteGroup): readonly FieldType[] => listedTypes.filter((type) => definitions[type].group === group);
