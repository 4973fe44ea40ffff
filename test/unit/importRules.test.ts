import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A file, its import, and whether the rules allow it. Every file exists, so that the imports resolve as in the real tree. */
const cases: readonly (readonly [file: string, imports: string, allowed: boolean])[] = [
  ['src/lib/a.ts', "import '@/features/sites/sitesApi'", false],
  ['src/lib/b.ts', "import type { X } from '@/features/sites/sitesApi'", true],
  ['src/ui/a.ts', "import '@/features/sites/sitesApi'", false],
  ['src/ui/b.ts', "import '@/lib/b'", true],
  ['src/store/a.ts', "import '@/ui/b'", false],
  ['src/store/b.ts', "import '@contract/sites/schemas'", false],
  ['src/store/c.ts', "import '@contract/sites/calls'", true],
  ['src/sign/a.ts', "import '@/store/c'", false],
  ['src/sign/b.ts', "import '@/lib/b'", true],
  ['src/features/sites/sitesApi.ts', "import '@/lib/b'", true],
  ['src/features/people/a.ts', "import '@/routes/config'", false],
  ['src/features/people/b.ts', "import '@/routes/paths'", true],
  ['src/features/people/PeoplePage.ts', "import '@/features/sites/sitesApi'", true],
  ['src/features/people/own.ts', "import './PeoplePage'", true],
  ['src/features/sites/a.ts', "import '@/features/people/PeoplePage'", false],
  ['src/features/sites/b.ts', "void import('@/features/people/PeoplePage')", false],
  ['src/routes/config.ts', "import '@/features/people/PeoplePage'", true],
  ['src/routes/paths.ts', "import '@/lib/b'", true],
  ['src/features/sites/c.ts', "import '../../../server/areas/sites/index'", false],
  ['server/areas/sites/index.ts', "import './queries'", true],
  ['server/areas/sites/queries.ts', "import './schema'", true],
  ['server/areas/sites/schema.ts', "import '../../../src/lib/b'", false],
  ['server/areas/people/queries.ts', "import '../sites/queries'", false],
  ['server/areas/people/a.ts', "import '../sites'", true],
  ['server/areas/people/b.ts', "import '../sites/schema'", true],
  ['server/areas/people/c.ts', "import '../tables/core/read'", false],
  ['server/areas/tables/core/read.ts', "import type { X } from '../records'", false],
  ['server/areas/tables/core/a.ts', "import '../../sites/queries'", false],
  ['server/areas/tables/records/index.ts', "import '../core/read'", true],
  ['server/areas/tables/records/a.ts', "import '../schema/tables'", false],
  ['server/areas/tables/records/b.ts', "import '../schema'", true],
  ['server/areas/tables/records/c.ts', "import '..'", false],
  ['server/areas/tables/schema/index.ts', "import './tables'", true],
  ['server/areas/tables/schema/tables.ts', "import '../core/read'", true],
  ['server/areas/tables/index.ts', "import './records'", true],
  ['server/kit/a.ts', "import '../areas/sites'", false],
  ['server/kit/b.ts', "import type { X } from '../areas/sites'", true],
  ['server/http/a.ts', "import '../kit/b'", false],
  ['server/http/b.ts', "import '../areas'", false],
  ['server/http/app.ts', "import '../areas'", true],
  ['server/areas/index.ts', "import './sites'", true],
  ['server/stores/a.ts', "import '../http/b'", false],
  ['server/collect/a.ts', "import '../areas/people'", false],
  ['server/collect/b.ts', "import '../areas/sites'", true],
  ['server/collect/c.ts', "import '../areas/sites/schema'", true],
  ['server/areas/people/index.ts', "import '../../delivery/a'", false],
  ['server/delivery/a.ts', "import '../areas/sites'", true],
  ['contract/sites/schemas.ts', "import '../../server/areas/sites'", false],
  ['contract/sites/calls.ts', "import './terms'", true],
  ['contract/sites/terms.ts', "import './schemas'", false],
  ['tracker/a.ts', "import '../contract/sites/terms'", false],
  ['tracker/b.ts', "import type { X } from '../contract/sites/terms'", true],
];

test('imports across tree borders are refused, others allowed', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'import-rules-'));
  try {
    for (const [file, imports] of cases) {
      mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
      writeFileSync(path.join(root, file), `${imports};\nexport type X = string;\n`);
    }
    symlinkSync(path.resolve('node_modules'), path.join(root, 'node_modules'));
    writeFileSync(path.join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions: { paths: { '@/*': ['./src/*'], '@contract/*': ['./contract/*'] } } }));
    writeFileSync(path.join(root, 'import-rules.json'), readFileSync('import-rules.json'));
    const refused = new Set(lint(root).map(({ filename }) => filename));
    expect(cases.filter(([file, , allowed]) => refused.has(file) === allowed).map(([file, imports]) => `${file}: ${imports}`)).toEqual([]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

function lint(root: string): readonly { readonly filename: string }[] {
  const program = path.resolve('node_modules/oxlint/bin/oxlint');
  try {
    execFileSync(process.execPath, [program, '-c', 'import-rules.json', '--format', 'json', 'src', 'server', 'contract', 'tracker'], { cwd: root });
    return [];
  } catch (error) {
    return (JSON.parse(String((error as { stdout: Buffer }).stdout)) as { diagnostics: { filename: string }[] }).diagnostics;
  }
}
