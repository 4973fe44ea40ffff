import { untitledParts } from './layoutDraft';
import type { DraftPart } from './layoutDraft';

const part = (uid: number, title: string, collapsed = false): DraftPart => ({ uid, title, note: '', collapsed, items: [] });
const untitledOf = (style: 'groups' | 'tabs', parts: readonly DraftPart[]): number[] => untitledParts({ style, parts, hidden: [] }).map(({ at }) => at);

test('every tab needs a title', () => {
  expect(untitledOf('tabs', [part(0, 'One'), part(1, ' ')])).toEqual([1]);
});

test('a section needs a title only when it begins collapsed', () => {
  expect(untitledOf('groups', [part(0, ''), part(1, '', true), part(2, 'Two', true)])).toEqual([1]);
});
