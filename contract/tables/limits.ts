/** Limits of content tables. */
export const tableLimits = {
  tables: 200,
  fields: 500,
  /** Sections of a form layout. */
  sections: 30,
  indexes: 24,
  /** Records per write. */
  batch: 1000,
  /** Bytes of one record as JSON, and of one text value. */
  recordBytes: 1_048_576,
  textBytes: 1_000_000,
  conditions: 50,
  depth: 4,
  sorts: 5,
  groups: 3,
  choices: 500,
  /** Rows per page of records. */
  page: 1000,
  /** Counting stops here and reports "more than". */
  count: 10_000,
  /** Days that a deleted field or table, or the old column of a conversion, is kept. */
  keepDays: 30,
  /** Days that record changes can be viewed and undone. */
  historyDays: 365,
  nameLength: 100,
  keyLength: 63,
  list: 500,
  links: 1000,
} as const;
