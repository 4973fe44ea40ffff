import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');
const src = join(root, 'src');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(css|tsx?)$/.test(name) && !/\.test\.tsx?$/.test(name))
  .map((name) => join(src, name));

const scale = ['secondary', 'table', 'body', 'section', 'page', 'figure'];
const token = new RegExp(`^var\\(--text-(${scale.join('|')})\\)( !important)?$`);

type Declaration = { readonly where: string; readonly value: string };

/** Each declaration of a property in CSS, style objects and SVG attributes, one per value: a condition has two. A name counts as a value of its own. */
function declarationsOf(property: 'font-size' | 'font-weight'): Declaration[] {
  const camel = property.replace(/-(\w)/, (_, letter: string) => letter.toUpperCase());
  const css = new RegExp(`${property}:\\s*([^;]+);`, 'g');
  const script = new RegExp(`\\b${camel}(?::\\s*|=)(\\{[^{}]*\\}|"[^"]*"|\`[^\`]*\`|[^,}\\n]+)`, 'g');
  return files.flatMap((file) => {
    const where = relative(root, file);
    const text = readFileSync(file, 'utf8');
    if (file.endsWith('.css')) return [...text.matchAll(css)].map(([, value = '']) => ({ where, value }));
    return [...text.replaceAll(/^ *(\/\*\*|\*|\/\/).*$/gm, '').matchAll(script)].flatMap(([, value = '']) => {
      const literals = value.replaceAll(/[!=]==\s*'[^']*'/g, '').match(/'[^']*'|"[^"]*"|`[^`]*`|(?<![\w.-])\d[\w.]*/g) ?? [value.trim()];
      return literals.map((literal) => ({ where, value: literal.replaceAll(/['"`]/g, '') }));
    });
  });
}

/** Sizes of icons, not of text; the size in which MUI counts; the scale on paper; the page that shows the scale. */
const exempt = new Set(['small', 'inherit', '14', '75%', 'var(--icon)', 'var(--icon-small)', 'var(--text-${size})']);

test('text has only sizes of the type scale', () => {
  const all = declarationsOf('font-size');
  expect(all.length).toBeGreaterThan(300);
  const outside = all.filter(
    ({ where, value }) => !token.test(value) && !value.startsWith('calc(var(--text-') && !(exempt.has(value) && isExempt(where, value)),
  );
  expect(outside).toEqual([]);
});

function isExempt(where: string, value: string): boolean {
  if (value === '14') return where === 'src/theme/theme.ts';
  if (value.startsWith('var(--icon')) return where === 'src/theme/mui.css';
  if (value.startsWith('var')) return where === 'src/parts/Type.tsx';
  return value === '75%' ? where === 'src/theme/tokens.css' : where.endsWith('.tsx') || where === 'src/theme/theme.ts';
}

test('text has only the weights 400, 500 and 600', () => {
  const all = declarationsOf('font-weight').filter(({ where }) => where !== 'src/theme/font.css');
  expect(all.length).toBeGreaterThan(100);
  expect(all.filter(({ value }) => !['400', '500', '600', 'inherit'].includes(value))).toEqual([]);
});

test('no shorthand sets a size besides the scale', () => {
  const shorthands = files
    .filter((file) => file.endsWith('.css'))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/[{;\s]font:\s*([^;]+);/g)].map(([, value]) => `${relative(root, file)}: ${value}`));
  expect(shorthands.filter((one) => !/: inherit$|: var\(--text-/.test(one))).toEqual([]);
});

test('the scale has the six sizes of the design', () => {
  const css = readFileSync(join(src, 'theme/tokens.css'), 'utf8');
  const sizes = scale.map((name) => Number(new RegExp(`--text-${name}: ([\\d.]+)rem`).exec(css)?.[1]) * 16);
  expect(sizes).toEqual([12, 13, 14, 16, 20, 28]);
});
