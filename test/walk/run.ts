import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { startConsole } from '../e2e/support/console';
import { chromiumArgs, chromiumPath } from '../support/chromium';
import { checkPlace, schemes, type Finding, type Scheme } from './check';
import { addWalkData } from './data';
import { loadCatalog, type Language } from './messages';
import { openPages } from './pages';
import { placesOf } from './places';

/**
 * `npm run build && npm run walk`: every screen of the built program in a real browser, in both languages, both schemes and three widths. Prints what is wrong,
 * each finding once with all the looks that have it, and exits with 1 if there is any. Pictures go to `walk/`. With `--touch` as on a phone, where touch
 * targets are measured too.
 */
const { values: options } = parseArgs({
  options: {
    routes: { type: 'string' },
    langs: { type: 'string', default: 'zh-CN,en' },
    schemes: { type: 'string', default: 'light,dark' },
    widths: { type: 'string', default: '1440,1024,390' },
    pictures: { type: 'string', default: 'walk' },
    touch: { type: 'boolean', default: false },
  },
});
const list = (text: string): string[] => text.split(',').filter((one) => one !== '');
const patterns = options.routes === undefined ? null : list(options.routes);
const languages = list(options.langs).map((one): Language => (one.startsWith('zh') ? 'zh-CN' : 'en'));
const chosenSchemes: readonly Scheme[] = schemes.filter((scheme) => list(options.schemes).includes(scheme));
const widths = list(options.widths).map(Number);

/** Findings that are the same in several looks become one line. */
function report(findings: readonly Finding[]): void {
  const lines = new Map<string, Set<string>>();
  for (const { place, look, sentence } of findings) {
    // Addresses of the program differ from run to run.
    const line = `${place}  ${sentence.replaceAll(/https?:\/\/localhost:\d+\S* /g, '')}`;
    lines.set(line, (lines.get(line) ?? new Set()).add(look));
  }
  for (const [line, looks] of lines) console.log(`✖ ${line} [${[...looks].join(', ')}]`);
}

const program = await startConsole();
const executablePath = chromiumPath();
const browser = await chromium.launch({ args: [...chromiumArgs], ...(executablePath === undefined ? {} : { executablePath }) });
let count = 0;
try {
  const catalog = await loadCatalog();
  const setUp = await browser.newContext({ baseURL: program.origin });
  await program.signIn(setUp);
  const data = await addWalkData(program, browser, setUp);
  const places = placesOf(data).filter(({ id }) => patterns === null || patterns.some((pattern) => id.split('.').includes(pattern) || id.startsWith(pattern)));
  for (const language of languages) {
    const pages = await openPages(program, browser, language, { touch: options.touch });
    for (const place of places) {
      const start = Date.now();
      const { page, watch } = pages.pageOf(place);
      const looks = { language, schemes: chosenSchemes, widths, catalog, pictures: options.pictures, touch: options.touch };
      const findings = await checkPlace(page, watch, place, looks).catch((error: unknown): Finding[] => [
        { place: place.id, look: language, sentence: `cannot be opened: ${String(error).slice(0, 400)}` },
      ]);
      console.log(`${findings.length === 0 ? '✔' : ' '} ${place.id} ${language} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
      report(findings);
      count += findings.length;
    }
    await pages.close();
  }
} finally {
  await browser.close();
  await program.stop();
}
console.log(count === 0 ? 'Nothing is wrong' : `${count} findings`);
process.exitCode = count === 0 ? 0 : 1;
