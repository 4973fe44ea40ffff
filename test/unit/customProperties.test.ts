import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const src = join(import.meta.dirname, '../../src');
const texts = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(css|tsx?)$/.test(name))
  .map((name) => readFileSync(join(src, name), 'utf8'));
const namesIn = (pattern: RegExp): ReadonlySet<string> => new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name)));

test('every custom property that a style reads is set somewhere', () => {
  const read = namesIn(/var\((--[a-z\d-]+)(?=\s*[,)])/g);
  const set = namesIn(/(--[a-z\d-]+)['"]?\]?\s*:/g);
  expect(read.size).toBeGreaterThan(40);
  expect([...read].filter((name) => !set.has(name))).toEqual([]);
});
