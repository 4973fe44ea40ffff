import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Names that say nothing to somebody who sees the code for the first time, and what to write instead. The number is how many declarations are left: it only falls, and
 * a word with 0 is gone for good.
 */
const banned: Readonly<Record<string, readonly [most: number, instead: string]>> = {
  asked: [368, 'query, request, params'],
  Asked: [33, 'Query, Request, Params'],
  care: [6, 'maintenance'],
  door: [14, 'origin'],
  fault: [204, 'error'],
  faults: [101, 'errors'],
  Fault: [4, 'FieldError, ValidationError'],
  Faults: [15, 'Errors'],
  given: [229, 'input, params'],
  Given: [5, 'Input'],
  hear: [40, 'subscribe, listen'],
  heard: [45, 'received'],
  kept: [158, 'stored, previous'],
  Kept: [5, 'Stored'],
  life: [0, 'lifecycle'],
  Line: [22, 'Row, Entry, LineItem'],
  looking: [2, 'activeView'],
  made: [318, 'created, result'],
  Made: [6, 'Created'],
  noted: [9, 'recorded'],
  pieces: [17, 'chunks, parts'],
  room: [16, 'space'],
  scene: [38, 'context, fixture'],
  Scene: [0, 'Context, Fixture'],
  seen: [158, 'visited, previous'],
  Seen: [13, 'Previous'],
  settled: [33, 'completed'],
  shown: [328, 'response, visible'],
  Shown: [13, 'Response'],
  standing: [20, 'status'],
  taken: [76, 'leased, used'],
  Taken: [5, 'Leased'],
  told: [76, 'notified, published'],
  Told: [2, 'Notification'],
  useWords: [0, 'useMessages, useLabels'],
  wanted: [158, 'requested, target'],
  Wanted: [5, 'Target'],
  wave: [0, 'batch'],
  words: [110, 'messages, labels, terms'],
  Words: [5, 'Messages, Labels'],
};

const declared = new RegExp(
  `(?:\\b(?:const|let|var|function|type|interface|class|enum)\\s+|[({,]\\s*(?:readonly )?)(${Object.keys(banned).join('|')})\\b(?=\\s*[:=(),?<}])`,
  'g',
);

function countDeclarations(): ReadonlyMap<string, number> {
  const files = execFileSync('git', ['ls-files', 'contract', 'server', 'src', 'tracker', 'scripts', 'bench', 'test'], { encoding: 'utf8' }).split('\n');
  const counts = new Map<string, number>();
  for (const file of files.filter((name) => /\.(ts|tsx|mjs)$/.test(name) && !name.endsWith('vocabulary.test.ts'))) {
    const code = readFileSync(file, 'utf8')
      .replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '')
      .replaceAll(/'(?:\\.|[^'\\\n])*'/g, "''");
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
