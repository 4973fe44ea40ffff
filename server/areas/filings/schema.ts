import { sql } from 'drizzle-orm';
import { boolean, check, date, index, integer, pgTable, primaryKey, smallint, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { ChecklistItem } from '../../../contract/filings/checklist';
import type { SubjectInput } from '../../../contract/filings/schemas';
import type { FilingState } from '../../../contract/filings/states';
import type { contentTypes, DeadlineKind, FilingKind, FooterState } from '../../../contract/filings/terms';
import { users } from '../account/schema';
import { resources } from '../resources/schema';
import { sites } from '../sites/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Companies and people to whom filings belong, shared by all sites. */
export const filingSubjects = pgTable('filing_subjects', {
  id: uuid().primaryKey().defaultRandom(),
  nature: text().$type<SubjectInput['nature']>().notNull(),
  name: text().notNull(),
  certificateKind: text('certificate_kind').$type<SubjectInput['certificateKind']>().notNull(),
  /** Sealed for the purpose `filing certificate`; null: none. */
  certificateSealed: text('certificate_sealed'),
  certificateMasked: text('certificate_masked').notNull().default(''),
  certificateExpires: date('certificate_expires'),
  province: text().notNull(),
  mainNumber: text('main_number').notNull().default(''),
  provider: text().notNull().default(''),
  notes: text().notNull().default(''),
  createdAt: moment('created_at').notNull(),
  revision: integer().notNull().default(1),
});

/** Filings of sites. A trigger allows only the transitions of `filing_moves`, and no change of the data while the authority examines them. */
export const filings = pgTable(
  'filings',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: text('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    kind: text().$type<FilingKind>().notNull(),
    subjectId: uuid('subject_id').references(() => filingSubjects.id),
    serviceName: text('service_name').notNull(),
    /** Normalized; empty: not assigned yet. */
    number: text().notNull(),
    province: text().notNull(),
    domains: text().array().notNull(),
    homeUrl: text('home_url').notNull(),
    contentTypes: text('content_types').array().$type<(typeof contentTypes)[number][]>().notNull(),
    interactive: boolean().notNull(),
    /** JSON of `FilingPeople`, sealed for the purpose `filing people`; null: none. */
    peopleSealed: text('people_sealed'),
    /** The earliest expiry of their certificates. */
    peopleExpire: date('people_expire'),
    openedOn: date('opened_on'),
    approvedOn: date('approved_on'),
    comparedOn: date('compared_on'),
    nextReviewOn: date('next_review_on'),
    /** When the first of its domains expires. */
    domainExpires: date('domain_expires'),
    /** Since when data differ from what was filed. */
    dataChangedOn: date('data_changed_on'),
    /** Items that are done. */
    checklist: text().array().$type<ChecklistItem[]>().notNull().default([]),
    smsUntil: moment('sms_until'),
    inFooter: boolean('in_footer').notNull(),
    state: text().$type<FilingState>().notNull().default('incomplete'),
    /** When the pages are checked next; null: they need not show it. */
    checkAt: moment('check_at'),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
    revision: integer().notNull().default(1),
  },
  (t) => [
    index('filings_site_index').on(t.siteId),
    index('filings_number_index').on(t.number),
    index('filings_check_index').on(t.checkAt),
    uniqueIndex('filings_site_kind_number_key')
      .on(t.siteId, t.kind, t.number)
      .where(sql`${t.number} <> ''`),
    check('filings_kind_known', sql`${t.kind} in ('icp', 'license', 'mps', 'app', 'mini')`),
    check('filings_numbered', sql`${t.number} <> '' or ${t.state} not in ('approved', 'changing', 'cancelling')`),
  ],
);

/** Transitions that the trigger of `filings` allows; `kind`: `mps`, or `icp` for all others. */
export const filingMoves = pgTable(
  'filing_moves',
  {
    kind: text().$type<'icp' | 'mps'>().notNull(),
    fromState: text('from_state').$type<FilingState>().notNull(),
    toState: text('to_state').$type<FilingState>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.fromState, t.toState] })],
);

/** What happened to a filing. A trigger refuses changes. */
export const filingEvents = pgTable(
  'filing_events',
  {
    id: uuid().primaryKey().defaultRandom(),
    filingId: uuid('filing_id')
      .notNull()
      .references(() => filings.id, { onDelete: 'cascade' }),
    /** null: the filing was added. */
    fromState: text('from_state').$type<FilingState>(),
    toState: text('to_state').$type<FilingState>().notNull(),
    note: text().notNull(),
    at: moment('at').notNull(),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
  },
  (t) => [index('filing_events_filing_index').on(t.filingId, t.at)],
);

/** Resources that are documents of a filing; `item`: what they are for, empty for anything else. */
export const filingDocuments = pgTable(
  'filing_documents',
  {
    filingId: uuid('filing_id')
      .notNull()
      .references(() => filings.id, { onDelete: 'cascade' }),
    resourceId: uuid('resource_id')
      .notNull()
      .references(() => resources.id, { onDelete: 'cascade' }),
    item: text().$type<ChecklistItem | ''>().notNull(),
    at: moment('at').notNull(),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
  },
  (t) => [primaryKey({ columns: [t.filingId, t.resourceId] }), index('filing_documents_resource_index').on(t.resourceId)],
);

/** What the last check of each page found. */
export const filingChecks = pgTable(
  'filing_checks',
  {
    filingId: uuid('filing_id')
      .notNull()
      .references(() => filings.id, { onDelete: 'cascade' }),
    url: text().notNull(),
    state: text().$type<FooterState>().notNull(),
    detail: text().notNull(),
    /** Since when checks have found this state. */
    since: moment('since').notNull(),
    at: moment('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.filingId, t.url] })],
);

/** Reminders that were sent: each step of a deadline once. */
export const filingNotices = pgTable(
  'filing_notices',
  {
    filingId: uuid('filing_id')
      .notNull()
      .references(() => filings.id, { onDelete: 'cascade' }),
    kind: text().$type<DeadlineKind>().notNull(),
    on: date('on').notNull(),
    /** Days before the deadline; -1: it has passed. */
    step: smallint().notNull(),
    at: moment('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.filingId, t.kind, t.on, t.step] })],
);
