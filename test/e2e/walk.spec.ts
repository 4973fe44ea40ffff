import { checkPlace, type Finding } from '../walk/check';
import { addWalkData } from '../walk/data';
import { loadCatalog, type Language } from '../walk/messages';
import { openPages } from '../walk/pages';
import { placesOf, type Place } from '../walk/places';
import { expect, test } from './support/console';

/** The short form of `npm run walk`: pages for people without an account, account screens and one screen of each kind, in two opposite looks. */

const looks = [
  { language: 'zh-CN', schemes: ['light'], widths: [1440] },
  { language: 'en', schemes: ['dark'], widths: [390] },
] as const satisfies readonly { readonly language: Language; readonly schemes: readonly ('light' | 'dark')[]; readonly widths: readonly number[] }[];
const others = [
  'home',
  'home.create.empty',
  'site.dashboard',
  'site.als.overview',
  'site.als.trend',
  'site.als.latest',
  'site.als.funnel',
  'site.table.records.record',
  'unknown.report',
];
const isChosen = ({ id, guest }: Place): boolean => guest === true || id.startsWith('account.') || others.includes(id);

// Two workers look at once: these are the longest tests, and the last to start.
test.describe.configure({ mode: 'parallel' });

let places: readonly Place[] = [];
test.beforeAll(async ({ browser, program }) => {
  // A worker keeps its program, and with it the data, for further tests.
  if (places.length > 0) return;
  const context = await browser.newContext({ baseURL: program.origin });
  await program.signIn(context);
  places = placesOf(await addWalkData(program, browser, context)).filter(isChosen);
  await context.close();
});

for (const look of looks) {
  test(`screens have no errors, ${look.language} ${look.schemes[0]} ${look.widths[0]}`, async ({ browser, program }) => {
    test.setTimeout(180_000);
    const catalog = await loadCatalog();
    const pages = await openPages(program, browser, look.language);
    const findings: Finding[] = [];
    for (const place of places)
      await test.step(place.id, async () => {
        const { page, watch } = pages.pageOf(place);
        findings.push(...(await checkPlace(page, watch, place, { ...look, catalog })));
      });
    await pages.close();
    expect(findings).toEqual([]);
  });
}

test('the checks of the walk find errors on a page that has them', async ({ browser, program }) => {
  const pages = await openPages(program, browser, 'en', { touch: true });
  const broken: Place = {
    id: 'broken',
    address: '/sign/nowhere',
    guest: true,
    act: (page) =>
      page.evaluate(() => {
        const add = (style: string, text: string, tag = 'p'): HTMLElement => {
          const element = document.body.appendChild(document.createElement(tag));
          element.style.cssText = style;
          element.textContent = text;
          return element;
        };
        add('width: 3000px', 'Wide');
        add('width: 40px; overflow: hidden; white-space: nowrap', 'Cut at its side');
        add('width: 40px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis', 'Shortened without more');
        add('color: #ccc; background: #fff', 'Hardly legible');
        add('', 'Save', 'button').setAttribute('aria-label', 'Something else');
        add('', '春天的茶园很安静');
        add('', '保存失败');
        add('', 'NaN visits');
        add('width: 20px; height: 20px; padding: 0', '×', 'button');
        console.error('from the page');
        // Refused by the policy: a style without the page's nonce.
        add('', 'p { color: red }', 'style');
      }),
  };
  const { page, watch } = pages.pageOf(broken);
  const findings = await checkPlace(page, watch, broken, { language: 'en', schemes: ['light'], widths: [1440], catalog: await loadCatalog(), touch: true });
  await pages.close();
  const sentences = findings.map(({ sentence }) => sentence).join('\n');
  for (const expected of [
    /px too wide/,
    /is cut at its side: “Cut at its side”/,
    /is shortened without a tooltip: “Shortened without more”/,
    /color-contrast: .*Hardly legible/,
    /label-content-name-mismatch: .*Save/,
    /Chinese text: “春天的茶园很安静”/,
    /a message of the other language: “保存失败”/,
    /an unformatted value: “NaN visits”/,
    /console: from the page/,
    /policy: style-src/,
    /a touch target of 2\d × 2\d px: button “×”/,
  ])
    expect.soft(sentences).toMatch(expected);
});
