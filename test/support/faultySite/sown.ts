import type { RuleId } from '../../../contract/crawler/rules';
import { generator, textOf } from './page';
import type { PageOptions } from './page';

/** Problems that a page of the tree can have without a consequence for another page. */
const problems: readonly (readonly [readonly RuleId[], (n: number) => PageOptions])[] = [
  [['title_missing'], () => ({ title: null })],
  [['title_length'], (n) => ({ title: `No. ${n}` })],
  [['title_multiple'], (n) => ({ head: `<title>Another title of page ${n}</title>` })],
  [['description_missing'], () => ({ description: null })],
  [['description_length'], (n) => ({ description: `No. ${n}.` })],
  [['heading_missing'], (n) => ({ heading: `<h2>Small ${n}</h2>` })],
  [['heading_multiple'], () => ({ main: '<h1>Second</h1>' })],
  [['heading_order'], () => ({ main: '<h3>Skipped</h3>' })],
  [['content_thin'], (n) => ({ text: textOf(`thin ${n}`, 40) })],
  [['content_mojibake'], () => ({ main: '<p>Caf\uFFFD</p>' })],
  [['index_noindex'], () => ({ head: '<meta name="robots" content="noindex">' })],
  [['language_missing'], () => ({ language: null })],
  [['language_wrong'], () => ({ language: 'zh-CN' })],
  [['image_alt'], () => ({ main: '<img src="/img/small.png" width="40" height="30">' })],
  [['image_dimensions'], () => ({ main: '<img src="/img/small.png" alt="Leaves">' })],
  [['structured_data_invalid'], () => ({ head: '<script type="application/ld+json">{"@type": "Product",}</script>' })],
  [['social_title'], () => ({ openTitle: false })],
  [['social_image'], () => ({ openImage: '' })],
  [['security_leak'], () => ({ main: '<p>AKIAABCDEFGH12345678</p>' })],
  [['mobile_viewport'], () => ({ viewport: null })],
  [['dom_duplicate_id'], () => ({ main: '<i id="a"></i><i id="a"></i>' })],
  [['accessibility_label'], () => ({ main: '<form action="/"><input name="q"></form>' })],
  [['accessibility_name'], () => ({ main: '<button></button>' })],
  [['accessibility_landmark'], () => ({ container: 'article' })],
];
/** Share of the pages with a problem. */
const share = 0.04;

/** The problem of page `n`, if the seed gives it one. */
export function sownAt(seed: string, n: number): PageOptions & { readonly rules: readonly RuleId[] } {
  const random = generator(`${seed} ${n}`);
  if (random() >= share) return { rules: [] };
  const found = problems[Math.floor(random() * problems.length)];
  return found === undefined ? { rules: [] } : { ...found[1](n), rules: found[0] };
}
