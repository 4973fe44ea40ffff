import { multiSelect, select, tags } from './fieldTypes/choices';
import { date, datetime, switch as switchType, time } from './fieldTypes/dates';
import type { FieldType } from './fieldTypes';
import type { FieldTypeDefinition } from './fieldTypes/definition';
import { currency, duration, integer, number, percent, rating } from './fieldTypes/numbers';
import { geo } from './fieldTypes/structures';
import { color, email, longText, markdown, phone, text, url } from './fieldTypes/texts';
import { textConversion } from './textConversion';

/** The types allowed in public forms, which load no other definition. A test compares them with the registry. */
export const formTypes: Partial<Record<FieldType, FieldTypeDefinition>> = {
  text,
  longText,
  markdown,
  email,
  url,
  phone,
  color,
  integer,
  rating,
  duration,
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
};

/** Text conversion for public forms. A type that no form has is treated as text. */
export const { textOf, readText } = textConversion((type) => formTypes[type] ?? text);
