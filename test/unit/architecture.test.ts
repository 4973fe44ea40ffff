import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { areas } from '../../contract/areas';

const root = path.resolve('.');
const list = (folder: string): string[] =>
  existsSync(path.join(root, folder))
    ? readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$/.test(file))
        .map((file) => `${folder}/${file.replaceAll(path.sep, '/')}`)
    : [];

type Edge = { readonly from: string; readonly to: string; readonly typeOnly: boolean };

/** Every import of our own files, as paths from the root without an extension. */
function edgesOf(file: string): Edge[] {
  const code = readFileSync(path.join(root, file), 'utf8');
  return [
    ...code.matchAll(
      /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'"]*?from\s*'([^']+)'|import\(\s*(?:\/\*.*?\*\/\s*)?'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g,
    ),
  ].flatMap((match) => {
    const name = match[2] ?? match[3] ?? match[4] ?? '';
    const to = name.startsWith('@/')
      ? `src/${name.slice(2)}`
      : name.startsWith('@contract/')
        ? `contract/${name.slice(10)}`
        : name.startsWith('.')
          ? path.posix.normalize(path.posix.join(path.posix.dirname(file), name))
          : null;
    return to === null ? [] : [{ from: file, to, typeOnly: match[1] !== undefined }];
  });
}

const consoleFiles = list('src');
const consoleEdges = consoleFiles.flatMap(edgesOf);
const edges = [...consoleEdges, ...['server', 'contract', 'tracker'].flatMap(list).flatMap(edgesOf)];
const layer = (file: string): string => /^src\/(\w+)/.exec(file)?.[1] ?? '';
const area = (file: string): string | undefined => /^src\/features\/(\w+)\//.exec(file)?.[1];
const show = ({ from, to }: Edge): string => `${from} → ${to}`;

test('something was found to look at', () => {
  expect(consoleEdges.length).toBeGreaterThan(200);
});

/** lib and ui know no feature; only routes knows pages; types may be looked at from below. `routes/paths` is where features get typed links from. */
const forbidden: Record<string, readonly string[]> = {
  lib: ['features', 'routes', 'store', 'ui', 'theme'],
  ui: ['features', 'routes', 'store', 'theme'],
  store: ['routes', 'ui', 'theme'],
  features: ['routes', 'theme'],
  sign: ['features', 'routes', 'store', 'ui', 'i18n'],
  open: ['features', 'routes', 'store', 'ui', 'i18n'],
};

test("the console's layers point one way", () => {
  expect(
    consoleEdges.filter((edge) => !edge.typeOnly && edge.to !== 'src/routes/paths' && forbidden[layer(edge.from)]?.includes(layer(edge.to))).map(show),
  ).toEqual([]);
});

/** Cross-cutting features have small public pieces besides their Api and Slice. */
const open =
  /(Api|Slice|Listeners|entries|useDraft|useFormDraft|useUnsavedWork|useSessionRefresh|useNoticeWords|useFilterWords|usePreferences|NoticeHost|SessionGate|AuditLine|JobRow|TokensTab)$/;

test('features meet only through their Api, Slice and named hooks', () => {
  const crossing = consoleEdges.filter((edge) => area(edge.from) !== undefined && area(edge.to) !== undefined && area(edge.from) !== area(edge.to));
  expect(crossing.filter((edge) => !edge.typeOnly && !open.test(edge.to) && !/messages\.(zh-CN|en)$/.test(edge.to)).map(show)).toEqual([]);
});

/** Pieces that an area's index could not give without a ring of imports: each stands alone and asks nothing of the other side. */
const pieces = /^server\/areas\/(insights\/(annotate|queries)|measuring\/(score|settings)|analytics\/(filters|install\/check)|contacts\/notify|sites\/makers)$/;

test("the server's areas meet only through their index, and their tables", () => {
  const areaOf = (file: string): string | undefined => /^server\/areas\/(\w+)\//.exec(file)?.[1];
  const crossing = edges.filter((edge) => areaOf(edge.from) !== undefined && areaOf(edge.to) !== undefined && areaOf(edge.from) !== areaOf(edge.to));
  expect(crossing.filter((edge) => !edge.typeOnly && !edge.to.endsWith('/schema') && !pieces.test(edge.to)).map(show)).toEqual([]);
});

const partOf = (file: string): string | undefined => /^server\/areas\/tables\/(\w+)(?:\/|$)/.exec(file)?.[1];
/** Imports between the folders of content tables, types too. The index of the area puts them together: it knows all of them, and none of them it. */
const betweenParts = edges.flatMap((edge) => {
  const [from, to] = [partOf(edge.from), partOf(edge.to)];
  return from === undefined || to === undefined || from === to ? [] : [{ edge, from, to }];
});

test('the core of content tables imports no part that uses it, and parts meet only through their index', () => {
  expect(betweenParts.some(({ to }) => to === 'core')).toBe(true);
  expect(betweenParts.filter(({ from }) => from === 'core').map(({ edge }) => show(edge))).toEqual([]);
  expect(edges.filter(({ from, to }) => partOf(from) !== undefined && to === 'server/areas/tables').map(show)).toEqual([]);
  expect(betweenParts.filter(({ edge, to }) => to !== 'core' && edge.to !== `server/areas/tables/${to}`).map(({ edge }) => show(edge))).toEqual([]);
});

test('parts of content tables import each other in no ring', () => {
  const reached = (from: string, seen: ReadonlySet<string>): ReadonlySet<string> =>
    betweenParts.filter((one) => one.from === from && !seen.has(one.to)).reduce((all, { to }) => reached(to, new Set([...all, to])), seen);
  const parts = [...new Set(betweenParts.map(({ from }) => from))];
  expect(parts.filter((part) => reached(part, new Set()).has(part))).toEqual([]);
});

test('browser and server never import each other, the tracker imports types only', () => {
  const side = (file: string): string => file.split('/')[0] ?? '';
  const wrong = edges.filter(
    ({ from, to, typeOnly }) =>
      (side(from) === 'src' && side(to) === 'server') ||
      (side(from) === 'server' && side(to) === 'src') ||
      (side(from) === 'contract' && side(to) !== 'contract') ||
      (side(from) === 'tracker' && side(to) !== 'tracker' && !typeOnly),
  );
  expect(wrong.map(show)).toEqual([]);
});

test("no file of the first load runs the contract's schemas: zod stays in lazy form parts", () => {
  const first = consoleEdges.filter(
    ({ from, to, typeOnly }) =>
      !typeOnly &&
      to.startsWith('contract/') &&
      ['store', 'routes', 'theme', 'i18n', 'lib'].includes(layer(from)) &&
      !/contractChecks/.test(from) &&
      !/contract\/(permissions|redirect|places|languages|call|\w+\/\w*[cC]alls|\w+\/terms)$/.test(to),
  );
  expect(first.map(show)).toEqual([]);
});

test('calls and terms of the contract run no schemas', () => {
  const withSchemas = edges.filter(
    ({ from, to, typeOnly }) => !typeOnly && /^contract\/(call|\w+\/(\w*[cC]alls|terms))(\.ts)?$/.test(from) && !/^contract\/(call|\w+\/terms)$/.test(to),
  );
  expect(withSchemas.map(show)).toEqual([]);
});

test('addresses of the API stand in the contract alone; `/api/docs` is a page for people', () => {
  const withAddress = consoleFiles.filter((file) => /['"`]\/api\/(?!docs\b)/.test(readFileSync(path.join(root, file), 'utf8')));
  expect(withAddress).toEqual([]);
});

test('everyone uses the typed hooks of the store', () => {
  const raw = consoleFiles.filter(
    (file) =>
      !file.endsWith('src/store/hooks.ts') &&
      /import \{[^}]*\b(useSelector|useDispatch|useStore)\b[^}]*\} from 'react-redux'/.test(readFileSync(path.join(root, file), 'utf8')),
  );
  expect(raw).toEqual([]);
});

test('files stay readable: at most 400 lines', () => {
  const long = [...consoleFiles, ...list('server'), ...list('contract')].filter((file) => readFileSync(path.join(root, file), 'utf8').split('\n').length > 400);
  expect(long).toEqual([]);
});

test('folders of areas have the names of the table that bridges them to the specification', () => {
  const known = new Set<string>(areas.map(({ folder }) => folder));
  // Parts that every area shares and the specification has no word for.
  const shared = ['jobs', 'live', 'notices', 'palette'];
  const folders = ['server/areas', 'src/features'].flatMap((parent) =>
    readdirSync(path.join(root, parent), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])),
  );
  expect(folders.filter((name) => !known.has(name) && !shared.includes(name))).toEqual([]);
});

test('addresses that somebody gave are asked through one guard alone', () => {
  const guard = 'server/net/publicAddress.ts';
  const asks =
    /\b(?:fetch|axios|got)\(|from '(?:undici|node:https|node:tls|node:dns(?:\/promises)?)'|import \{[^}]*\b(?:request|get|connect|createConnection|Socket)\b[^}]*\} from 'node:(?:http|net)'/;
  const asking = list('server').filter((file) => asks.test(readFileSync(path.join(root, file), 'utf8').replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')));
  expect(asking.filter((file) => file !== guard && file !== 'server/areas/analytics/install/check.ts')).toEqual([]);
});

test('secrets are compared in constant time, in one place', () => {
  const comparing = list('server').filter((file) => readFileSync(path.join(root, file), 'utf8').includes('timingSafeEqual'));
  expect(comparing).toEqual(['server/secrets.ts']);
  const plain =
    /\b(?:signature|secret|token|mac|passwordHash|tokenHash)\b\)? *[!=]==(?! *(?:null|undefined|'|void))|[!=]== *\w*(?:signatureOf|Signature|hashToken|secrets\.mac)\(/;
  expect(list('server').filter((file) => plain.test(readFileSync(path.join(root, file), 'utf8')))).toEqual([]);
});
