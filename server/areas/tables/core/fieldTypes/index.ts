import type { FieldType } from '../../../../../contract/tables/terms';
import { barcode } from './barcode';
import { multiSelect, select, tags } from './choices';
import { button, formula, lookup, rollup } from './computed';
import { date, datetime, switch as switchType, time } from './dates';
import type { ServerFieldType } from './definition';
import { inverse, relation, relations, user } from './links';
import { autonumber, currency, duration, integer, number, percent, rating } from './numbers';
import { file, geo, image, json, repeater, svg, video } from './structures';
import { color, email, longText, markdown, password, phone, richText, slug, text, url } from './texts';

const definitions: Readonly<Record<FieldType, ServerFieldType>> = {
  text,
  longText,
  markdown,
  richText,
  email,
  url,
  phone,
  slug,
  barcode,
  color,
  password,
  integer,
  rating,
  duration,
  autonumber,
  number,
  currency,
  percent,
  switch: switchType,
  date,
  time,
  datetime,
  select,
  multiSelect,
  tags,
  geo,
  user,
  file,
  image,
  svg,
  video,
  json,
  repeater,
  relation,
  relations,
  inverse,
  lookup,
  rollup,
  formula,
  button,
};
export const serverFieldTypeOf = (type: FieldType): ServerFieldType => definitions[type];
export type { Candidate, Schema, Surroundings } from './definition';
