import { checkTheme } from './check';

const pool = { check: () => Promise.resolve([]) };
const problemsOf = async (template: string): Promise<(readonly [string, number | null])[]> => {
  const problems = await checkTheme(pool, new Map([['templates/page.liquid', Buffer.from(template)]]));
  return problems.filter(({ path }) => path === 'templates/page.liquid').map(({ detail, line }) => [detail, line] as const);
};

test('names in comments and raw texts are no files', async () => {
  const template =
    "{% raw %}{% render 'a' %}{% endcomment %}{% endraw %}\n{% comment %}\n{% render 'b' %}{%- endcomment -%}{% render 'c' %}\n{% comment %}{% render 'd' %}";
  expect(await problemsOf(template)).toEqual([
    ['c.liquid', 3],
    ['d.liquid', 4],
  ]);
});

test('a large template takes no longer than it has to', async () => {
  const tag = `{{"{% raw %}"}}{% render 'a' %}`;
  expect(await problemsOf(tag.repeat(60_000))).toHaveLength(100);
});
