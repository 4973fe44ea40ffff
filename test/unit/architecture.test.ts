import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { areas } from '../../contract/areas';
import { parseUrl } from '../../contract/parseUrl';

const root = path.resolve('.');
const listWithTests = (folder: string): string[] =>
  existsSync(path.join(root, folder))
    ? readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file) && !/\.d\.tsx?$/.test(file))
        .map((file) => `${folder}/${file.replaceAll(path.sep, '/')}`)
    : [];
const list = (folder: string): string[] => listWithTests(folder).filter((file) => !/\.test\.tsx?$/.test(file));

/** Every relative import of a server file, as paths from the root without extension. */
const importsOf = (file: string): { readonly from: string; readonly to: string }[] =>
  Array.from(readFileSync(path.join(root, file), 'utf8').matchAll(/(?:from |import\()'(\.[^']+)'/g), ([, name = '']) => ({
    from: file,
    to: path.posix.join(path.posix.dirname(file), name),
  }));

const consoleFiles = list('src');

/** Tables that any query may join: the actor and the site. Every other table is used only by its own area. */
const joinable: Readonly<Record<string, readonly string[]>> = { 'server/areas/account/schema': ['users'], 'server/areas/sites/schema': ['sites'] };
/** Files that read another area's tables, and why. */
const readers: Readonly<Record<string, string>> = {
  'server/migrations.ts': 'puts the ClickHouse schema of all areas together',
  'server/secrets.ts': 'compares the key with the one in the settings of the installation before any area runs',
  'server/collect/counts.ts': 'the collector writes what the completeness report reads',
  'server/collect/identity.ts': 'the collector writes the salts of the day',
  'server/collect/queue.ts': 'the collector fills and empties the queue of visits',
  'server/collect/visitTasks.ts': 'the collector carries out the tasks that settings of measuring queue',
  'server/areas/measuring/queries.ts': 'shows how long hits wait in the queue of visits',
  'server/areas/people/queries.ts': 'lists people with their sites and latest use in one query',
  'server/areas/sites/queries.ts':
    'every request about a site begins with one query that also reads the revision of its content tables and its measuring settings; the index of sites holds their hostnames, and the list says which have customer service',
  'server/areas/tokens/queries.ts': 'every request with a token begins with one query that also reads the site and the revision of its content tables',
  'server/areas/tables/records/purge.ts': 'erases what translations repeat of a record in the transaction that erases it',
  'server/areas/tables/core/write/lookups.ts': 'values of people fields name people with a grant on the site',
};

test('only an area uses its tables, apart from foreign keys', () => {
  const areaOf = (file: string): string | undefined => /^server\/areas\/(\w+)\//.exec(file)?.[1];
  const foreign = list('server').flatMap((file) => {
    const code = readFileSync(path.join(root, file), 'utf8');
    return [...code.matchAll(/(?:^|\n)import ([^;]*?) from '(\.[^']+\/schema)'/g)].flatMap(([, names = '', from = '']) => {
      const to = path.posix.normalize(path.posix.join(path.posix.dirname(file), from));
      const owner = areaOf(to);
      if (owner === undefined || owner === areaOf(file) || file.endsWith('/schema.ts') || !existsSync(path.join(root, `${to}.ts`))) return [];
      const tables = names.replaceAll(/type |[{}\s]/g, '').split(',');
      return tables.every((table) => joinable[to]?.includes(table)) ? [] : [file];
    });
  });
  expect([...new Set(foreign)].toSorted()).toEqual(Object.keys(readers).toSorted());
});

const partOf = (file: string): string | undefined => /^server\/areas\/tables\/(\w+)(?:\/|$)/.exec(file)?.[1];
/** Imports between the folders of content tables, including types. The area's index combines them: it imports all of them, and none imports it. */
const betweenParts = list('server/areas/tables')
  .flatMap(importsOf)
  .flatMap(({ from: file, to: imported }) => {
    const [from, to] = [partOf(file), partOf(imported)];
    return from === undefined || to === undefined || from === to ? [] : [{ from, to }];
  });

test('parts of content tables have no import cycles', () => {
  expect(betweenParts.some(({ to }) => to === 'core')).toBe(true);
  const reached = (from: string, visited: ReadonlySet<string>): ReadonlySet<string> =>
    betweenParts.filter((one) => one.from === from && !visited.has(one.to)).reduce((all, { to }) => reached(to, new Set([...all, to])), visited);
  const parts = [...new Set(betweenParts.map(({ from }) => from))];
  expect(parts.filter((part) => reached(part, new Set()).has(part))).toEqual([]);
});

test('only the contract contains API addresses, except `/api/docs`', () => {
  const withAddress = consoleFiles.filter((file) => /['"`]\/api\/(?!docs\b)/.test(readFileSync(path.join(root, file), 'utf8')));
  expect(withAddress).toEqual([]);
});

test('only typed hooks of the store are used', () => {
  const raw = consoleFiles.filter(
    (file) =>
      !file.endsWith('src/store/hooks.ts') &&
      /import \{[^}]*\b(useSelector|useDispatch|useStore)\b[^}]*\} from 'react-redux'/.test(readFileSync(path.join(root, file), 'utf8')),
  );
  expect(raw).toEqual([]);
});

test('icons take no style properties of MUI', () => {
  // `src/ui/createSvgIcon.tsx` draws them, and knows none.
  const styled = consoleFiles.flatMap((file) => {
    const source = readFileSync(path.join(root, file), 'utf8');
    const icons = Array.from(source.matchAll(/import (\w+) from '@mui\/icons-material\//g), ([, name = '']) => name);
    return icons.filter((name) => new RegExp(`<${name}\\b[^>]*\\b(sx|color|htmlColor|component)=`).test(source)).map((name) => `${file}: ${name}`);
  });
  expect(styled).toEqual([]);
});

test('files have at most 400 lines', () => {
  const all = ['src', 'server', 'contract', 'test/integration'].flatMap(listWithTests);
  const long = all.filter((file) => readFileSync(path.join(root, file), 'utf8').trimEnd().split('\n').length > 400);
  expect(long).toEqual([]);
});

test('folders of areas are named as in the specification', () => {
  const known = new Set<string>(areas.map(({ folder }) => folder));
  // Parts shared by all areas, which the specification does not name.
  const shared = ['demo', 'starters', 'jobs', 'live', 'notices', 'palette'];
  const folders = ['server/areas', 'src/features'].flatMap((parent) =>
    readdirSync(path.join(root, parent), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])),
  );
  expect(folders.filter((name) => !known.has(name) && !shared.includes(name))).toEqual([]);
});

test('areas keep files in the file store', () => {
  // A font, parts of the program itself, installed programs, and what ffmpeg and Chromium read and write.
  const ownFiles = [
    'server/areas/crawler/engine/crawlProcess.ts',
    'server/areas/crawler/engine/render/browser.ts',
    'server/areas/imports/importThread.ts',
    'server/areas/publishing/themes/shipped.ts',
    'server/areas/resources/transcode/job.ts',
    'server/areas/resources/transcode/workFolders.ts',
    'server/kit/images/imageProcess.ts',
    'server/kit/installedProgram.ts',
    'server/kit/text/notoSans.ts',
  ];
  const withFiles = [...list('server/areas'), ...list('server/kit')].filter((file) =>
    /from '(?:node:)?fs(?:\/promises)?'/.test(readFileSync(path.join(root, file), 'utf8')),
  );
  expect(withFiles.toSorted()).toEqual(ownFiles);
});

test('only the first request to a bucket loads the SDK of S3', () => {
  const naming = list('server').flatMap((file) =>
    Array.from(readFileSync(path.join(root, file), 'utf8').matchAll(/^.*'@aws-sdk\/.*$/gm), ([line]) => `${file}: ${line.trim()}`),
  );
  expect(naming).toEqual([
    "server/stores/files/s3/bucket.ts: import type * as Sdk from '@aws-sdk/client-s3';",
    "server/stores/files/s3/bucket.ts: const sdk = await import('@aws-sdk/client-s3');",
  ]);
});

test('user-supplied addresses are fetched through one guard only', () => {
  const guard = 'server/net/publicAddress.ts';
  const asks =
    /\b(?:fetch|axios|got)\(|from '(?:undici|node:https|node:tls|node:dns(?:\/promises)?)'|import \{[^}]*\b(?:request|get|connect|createConnection|Socket)\b[^}]*\} from 'node:(?:http|net)'/;
  const asking = list('server').filter((file) => asks.test(readFileSync(path.join(root, file), 'utf8').replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')));
  // The addresses of the malware scanner, of resolvers and of the certificate authority are settings of the operator; the TLS listener only accepts connections,
  // and the check of crawlers asks the resolver of the machine.
  const operators = ['server/kit/malwareScanner.ts', 'server/areas/hostnames/dns.ts', 'server/areas/hostnames/tls/acmeClient.ts'];
  // The crawler has connection pools and reads certificates; both use the lookup of the guard.
  const crawler = ['server/areas/crawler/engine/fetch.ts', 'server/areas/crawler/engine/observe.ts'];
  const exempt = [
    guard,
    ...crawler,
    'server/areas/analytics/install/check.ts',
    'server/areas/hostnames/tls/listener.ts',
    'server/areas/countryBlock/bots.ts',
    ...operators,
  ];
  expect(asking.filter((file) => !exempt.includes(file))).toEqual([]);
});

test('the server reads addresses by a function that Node 20 does not break', () => {
  const asking = ['server', 'contract']
    .flatMap(list)
    .filter((file) => /\bURL\s*\.\s*(?:canParse|parse)\b(?!`)/.test(readFileSync(path.join(root, file), 'utf8')));
  expect(asking).toEqual([]);
  // Often enough that Node compiles the function.
  const isRead = Array.from({ length: 20_000 }, (_, at) => parseUrl(at % 2 === 0 ? 'https://é.com/' : '/tea', 'https://例子.cn/')?.hostname);
  expect([...new Set(isRead)]).toEqual(['xn--9ca.com', 'xn--fsqu00a.cn']);
});

test('secrets are compared in constant time, in one place', () => {
  const comparing = list('server').filter((file) => readFileSync(path.join(root, file), 'utf8').includes('timingSafeEqual'));
  expect(comparing).toEqual(['server/secrets.ts']);
  const plain =
    /\b(?:signature|secret|token|mac|passwordHash|tokenHash)\b\)? *[!=]==(?! *(?:null|undefined|'|void))|[!=]== *\w*(?:signatureOf|Signature|hashToken|secrets\.mac)\(/;
  expect(list('server').filter((file) => plain.test(readFileSync(path.join(root, file), 'utf8')))).toEqual([]);
});
