import { deadlinesOf, dueReminder } from './deadlines';
import type { DatedFiling } from './deadlines';

const filing: DatedFiling = {
  id: 'a',
  kind: 'icp',
  state: 'approved',
  openedOn: null,
  approvedOn: '2026-03-01',
  comparedOn: null,
  nextReviewOn: null,
  smsOn: null,
  certificateExpires: null,
  footerMissingSince: null,
  domainExpires: null,
  dataChangedOn: null,
};
const today = '2026-06-01';
const list = (...filings: readonly Partial<DatedFiling>[]): string =>
  deadlinesOf(
    filings.map((one) => ({ ...filing, ...one })),
    today,
  )
    .map(({ filing: id, kind, on, overdue }) => `${id} ${kind} ${on}${overdue ? ' overdue' : ''}`)
    .join(', ');

test.each<[string, Partial<DatedFiling>[], string]>([
  ['is reviewed a year after its approval', [{}], 'a yearly_review 2027-03-01'],
  ['is reviewed a year after it was compared', [{ comparedOn: '2026-05-02' }], 'a yearly_review 2027-05-02'],
  ['is reviewed when people say so', [{ nextReviewOn: '2026-07-01' }], 'a yearly_review 2026-07-01'],
  ['has no review before its approval', [{ state: 'bureau_review', approvedOn: null }], ''],
  ['waits for the code of the message', [{ state: 'sms_check', approvedOn: null, smsOn: '2026-06-02' }], 'a sms_code 2026-06-02'],
  ['forgets the code in the next state', [{ state: 'provider_accepted', approvedOn: null, smsOn: '2026-06-02' }], ''],
  [
    'expires with a certificate',
    [{ certificateExpires: '2026-05-31', nextReviewOn: '2026-06-01' }],
    'a certificate_expiry 2026-05-31 overdue, a yearly_review 2026-06-01',
  ],
  ['needs public security after opening', [{ openedOn: '2026-05-20' }], 'a mps_filing 2026-06-19, a yearly_review 2027-03-01'],
  [
    'has that deadline where it is filed',
    [{ openedOn: '2026-05-20' }, { id: 'b', kind: 'mps', state: 'incomplete', approvedOn: null, openedOn: '2026-05-20' }],
    'b mps_filing 2026-06-19, a yearly_review 2027-03-01',
  ],
  ['has none while it is examined', [{ kind: 'mps', state: 'bureau_review', approvedOn: null, openedOn: '2026-05-20' }], ''],
  [
    'needs its number on the pages',
    [{ nextReviewOn: '2026-07-01', footerMissingSince: '2026-05-30' }],
    'a footer_missing 2026-05-30 overdue, a yearly_review 2026-07-01',
  ],
  ['expires with a domain', [{ domainExpires: '2026-08-01' }], 'a domain_expiry 2026-08-01, a yearly_review 2027-03-01'],
  ['is changed within thirty days', [{ dataChangedOn: '2026-05-20' }], 'a changed_data 2026-06-19, a yearly_review 2027-03-01'],
  ['has none once it is cancelled', [{ state: 'cancelled', certificateExpires: '2026-07-01' }], ''],
])('a filing %s', (_, filings, deadlines) => {
  expect(list(...filings)).toBe(deadlines);
});

test.each([
  ['2026-06-09', null],
  ['2026-06-10', 10],
  ['2026-06-16', 10],
  ['2026-06-17', 3],
  ['2026-06-19', 3],
  ['2026-06-20', 0],
  ['2026-06-21', -1],
  ['2026-09-01', -1],
] as const)('on %s the reminder of public security is %s', (day, reminder) => {
  expect(dueReminder({ kind: 'mps_filing', on: '2026-06-20' }, day)).toBe(reminder);
});

test('a missing footer is reported on its day only', () => {
  expect(dueReminder({ kind: 'footer_missing', on: '2026-06-20' }, '2026-06-19')).toBe(null);
  expect(dueReminder({ kind: 'footer_missing', on: '2026-06-20' }, '2026-06-20')).toBe(0);
});
