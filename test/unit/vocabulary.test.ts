import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Names that say nothing to somebody who sees the code for the first time, and what to write instead. The number is how many declarations are left: it only
 * falls, and a word with 0 is gone for good. What is left are keys of stored data and of webhooks, audit actions, and error codes of the API.
 */
const banned: Readonly<Record<string, readonly [most: number, instead: string]>> = {
  asked: [1, 'query, request, params'],
  Asked: [0, 'Query, Request, Params'],
  care: [0, 'maintenance'],
  door: [3, 'origin'],
  fault: [0, 'error'],
  faults: [1, 'errors'],
  Fault: [0, 'FieldError, ValidationError'],
  Faults: [0, 'Errors'],
  given: [0, 'input, params'],
  Given: [0, 'Input'],
  hear: [0, 'subscribe, listen'],
  heard: [0, 'received'],
  kept: [2, 'stored, previous'],
  Kept: [0, 'Stored'],
  life: [0, 'lifecycle'],
  Line: [0, 'Row, Entry, LineItem'],
  looking: [0, 'activeView'],
  made: [8, 'created, result'],
  Made: [0, 'Created'],
  noted: [0, 'recorded'],
  pieces: [1, 'chunks, parts'],
  room: [0, 'space'],
  scene: [0, 'context, fixture'],
  Scene: [0, 'Context, Fixture'],
  seen: [5, 'visited, previous'],
  Seen: [0, 'Previous'],
  settled: [0, 'completed'],
  shown: [0, 'response, visible'],
  Shown: [0, 'Response'],
  standing: [0, 'status'],
  taken: [12, 'leased, used'],
  Taken: [0, 'Leased'],
  told: [0, 'notified, published'],
  Told: [0, 'Notification'],
  useWords: [0, 'useMessages, useLabels'],
  wanted: [0, 'requested, target'],
  Wanted: [0, 'Target'],
  wave: [0, 'batch'],
  words: [3, 'messages, labels, terms'],
  Words: [0, 'Messages, Labels'],
};

const declared = new RegExp(
  `(?:\\b(?:const|let|var|function|type|interface|class|enum)\\s+|[({,]\\s*(?:readonly )?)(${Object.keys(banned).join('|')})\\b(?=\\s*[:=(),?<}])`,
  'g',
);

function countDeclarations(): ReadonlyMap<string, number> {
  const files = execFileSync('git', ['ls-files', 'contract', 'server', 'src', 'tracker', 'widget', 'scripts', 'bench', 'test'], { encoding: 'utf8' }).split(
    '\n',
  );
  const counts = new Map<string, number>();
  for (const file of files.filter((name) => /\.(ts|tsx|mjs)$/.test(name) && !name.endsWith('vocabulary.test.ts'))) {
    const code = readFileSync(file, 'utf8')
      .replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '')
      .replaceAll(/'(?:\\.|[^'\\\n])*'/g, "''")
      // Names of columns in SQL are those of existing data folders.
      .replaceAll(/\b(?:INSERT INTO|SELECT)\b[^`;]*/g, '');
    for (const [, name = ''] of code.matchAll(declared)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

test('private words do not come back as names', () => {
  const counts = countDeclarations();
  const tooMany = Object.entries(banned).flatMap(([name, [most, instead]]) => {
    const count = counts.get(name) ?? 0;
    return count > most ? [`${name}: ${String(count)} declarations, at most ${String(most)}. Write: ${instead}`] : [];
  });
  expect(tooMany).toEqual([]);
});
