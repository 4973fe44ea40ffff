import { commandOf } from './keyCommands';

test('shortcuts match those of spreadsheets', () => {
  const key = (name: string, more = '', head = false) =>
    commandOf({ key: name, ctrlKey: more.includes('c'), metaKey: false, shiftKey: more.includes('s'), altKey: more.includes('a') }, head);
  expect(key('ArrowDown', 's')).toEqual({ do: 'move', move: 'down', extend: true });
  expect(key('End', 'cs')).toEqual({ do: 'move', move: 'last', extend: true });
  expect(key('Z', 'cs')).toEqual({ do: 'redo' });
  expect(key('y', 'c')).toEqual({ do: 'redo' });
  expect(key(' ')).toEqual({ do: 'open' });
  expect(key(' ', 'c')).toEqual({ do: 'column' });
  expect(key('ArrowLeft', 'a', true)).toEqual({ do: 'moveColumn', by: -1 });
  expect(key('ArrowLeft', 'a')).toBeNull();
  // Keys that the browser needs, and keys that begin a word.
  for (const name of ['c', 'v', 'x', 'r', 'f', 't']) expect(key(name, 'c')).toBeNull();
  expect(key('a')).toBeNull();
});
