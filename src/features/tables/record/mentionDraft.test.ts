import fc from 'fast-check';
import { draftOf, mentionQueryAt, storedExcess, storedText, withMention, withText } from './mentionDraft';
import type { MentionDraft } from './mentionDraft';

const [anna, lin, gone] = ['0f8fad5b-d9cb-469f-a165-708677289501', '0f8fad5b-d9cb-469f-a165-708677289502', '0f8fad5b-d9cb-469f-a165-708677289503'] as const;
const stored = `Hi @[${anna}] and @[${lin}]!`;
const mentions = [
  { id: anna, name: 'Anna Lee' },
  { id: lin, name: '林小满' },
];
const draft = draftOf({ text: stored, mentions }, 'deleted');

test('a stored comment is written with names and stored with ids', () => {
  expect(draft.text).toBe('Hi @Anna Lee and @林小满!');
  expect(storedText(draft)).toBe(stored);
  expect(draft.text.length + storedExcess(draft)).toBe(stored.length);
});

test('a deleted person has a neutral name, and an unknown id stays text', () => {
  const text = `@[${gone}] @[${lin}]`;
  const read = draftOf({ text, mentions: [{ id: gone, name: '' }] }, 'deleted person');
  expect(read.text).toBe(`@deleted person @[${lin}]`);
  expect(storedText(read)).toBe(text);
});

test('editing around a mention keeps it, editing inside makes it text', () => {
  expect(storedText(withText(draft, 'Hello @Anna Lee, @林小满!'))).toBe(`Hello @[${anna}], @[${lin}]!`);
  expect(storedText(withText(draft, 'Hi @Anna Le and @林小满!'))).toBe(`Hi @Anna Le and @[${lin}]!`);
});

test('an @ typed right before a mention keeps it', () => {
  expect(storedText(withText(draft, 'Hi @@Anna Lee and @林小满!'))).toBe(`Hi @@[${anna}] and @[${lin}]!`);
});

test('people of one name remain different people', () => {
  const first = withMention({ text: '@', mentions: [] }, { start: 0, end: 1 }, { id: anna, name: 'Li' }).draft;
  const both = withMention(withText(first, `${first.text}@`), { start: 4, end: 5 }, { id: lin, name: 'Li' });
  expect([both.draft.text, both.caret]).toEqual(['@Li @Li ', 8]);
  expect(storedText(both.draft)).toBe(`@[${anna}] @[${lin}]`);
});

test('a choice replaces what was typed and moves later mentions', () => {
  const typed = withText(draft, 'Hi @l @Anna Lee and @林小满!');
  const chosen = withMention(typed, { start: 3, end: 5 }, { id: gone, name: 'Lea' });
  expect([chosen.draft.text, chosen.caret]).toEqual(['Hi @Lea @Anna Lee and @林小满!', 8]);
  expect(storedText(chosen.draft)).toBe(`Hi @[${gone}] @[${anna}] and @[${lin}]!`);
});

test('any edit leaves mentions where their names are', () => {
  const part = fc.string({ maxLength: 4, unit: fc.constantFrom('@', 'A', 'n', '林', ' ', '\n') });
  let checked = 0;
  fc.assert(
    fc.property(fc.nat(draft.text.length), fc.nat(8), part, (start, length, inserted) => {
      const changed: MentionDraft = withText(draft, draft.text.slice(0, start) + inserted + draft.text.slice(start + length));
      for (const mention of changed.mentions) expect(changed.text.slice(mention.start).startsWith(`@${mention.name}`)).toBe(true);
      checked += changed.mentions.length;
    }),
  );
  expect(checked).toBeGreaterThan(20);
});

test.each([
  ['@', { start: 0, end: 1, text: '' }],
  ['请@林', { start: 1, end: 3, text: '林' }],
  ['see ＠an', { start: 4, end: 7, text: 'an' }],
  ['@Anna L', { start: 0, end: 7, text: 'Anna L' }],
  ['mail anna@example', null],
  ['@ home', null],
  ['@anna\n', null],
])('%j searches %j', (text, query) => {
  expect(mentionQueryAt({ text, mentions: [] }, text.length)).toEqual(query);
});

test('the @ of a mention searches nothing', () => {
  expect(mentionQueryAt(draft, 'Hi @Anna Lee and'.length)).toBeNull();
});
