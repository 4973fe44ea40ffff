import fc from 'fast-check';
import { contactChannels, contactKinds, contactTitles, contactTopics } from '../../contract/contacts/schemas';
import type { Subscriptions } from '../../contract/contacts/schemas';
import { merged } from '../../server/areas/contacts/changes';
import type { ContactRecord } from '../../server/areas/contacts/queries';
import { mergedValues, ordered } from '../../src/features/contacts/contactValues';
import type { ContactValues } from '../../src/features/contacts/contactValues';

const textArbitrary = fc.constantFrom('', 'a', 'b');
const maybe = fc.constantFrom(null, 'a@example.com', 'b@example.com');
const some = <T>(of: readonly T[]) => fc.subarray([...of]);
const values: fc.Arbitrary<ContactValues> = fc.record({
  name: fc.constantFrom('a', 'b'),
  company: textArbitrary,
  title: fc.constantFrom(...contactTitles),
  email: maybe,
  phone: fc.constantFrom(null, '+4930', '+8610'),
  wechat: textArbitrary,
  address: textArbitrary,
  kinds: some(contactKinds),
  locale: fc.constantFrom('zh-CN' as const, 'en' as const),
  siteIds: fc.oneof(fc.constant(null), fc.subarray(['s1', 's2', 's3'], { minLength: 1 })),
  subscriptions: fc
    .array(fc.tuple(fc.constantFrom(...contactTopics), fc.subarray([...contactChannels], { minLength: 1 })))
    .map((list): Subscriptions => ordered(Object.fromEntries(list))),
  webhook: fc.constantFrom(null, 'https://a.example/', 'https://b.example/'),
  quietHours: fc.constantFrom(null, { timeZone: 'UTC', from: '22:00', to: '08:00' }),
  note: fc.oneof(textArbitrary, fc.constant('x'.repeat(999))),
});
const now = new Date();
const row = (of: ContactValues): ContactRecord => ({
  ...of,
  id: of.name,
  emailVerifiedAt: null,
  webhookSecret: of.webhook && 'sealed',
  createdAt: now,
  updatedAt: now,
  revision: 1,
});

test('the merge dialog shows the result that the server stores', () => {
  fc.assert(
    fc.property(values, values, (survivor, other) => {
      const { emailVerifiedAt: _verified, webhookSecret: _secret, ...mergedContact } = merged(row(survivor), row(other));
      const expected = { ...survivor, ...mergedContact };
      expect(mergedValues(survivor, other)).toEqual({ ...expected, subscriptions: ordered(expected.subscriptions) });
    }),
  );
});
