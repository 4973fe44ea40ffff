import { createHash } from 'node:crypto';
import type { ThemeChange } from './store';

/** What the small themes share that the program writes itself: the layout, the page for unknown addresses, and its texts. */
const layout = `<!doctype html>
<html lang="{{ page.language }}" dir="{{ page.dir }}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{{ content_for_head }}
<link rel="stylesheet" href="{{ 'theme.css' | asset_url }}">
</head>
<body>
<header>
<a class="name" href="{{ site.url }}">{{ site.title }}</a>
{% if menus.main %}<nav>{% for item in menus.main %}<a href="{{ item.url }}"{% if item.active %} aria-current="page"{% endif %}>{{ item.title }}</a>{% endfor %}</nav>{% endif %}
</header>
<main>
{% block main %}{% endblock %}
</main>
<footer>{{ content_for_footer }}</footer>
</body>
</html>
`;

const shared: Readonly<Record<string, string>> = {
  'layouts/base.liquid': layout,
  'templates/not_found.liquid': `{% layout 'layouts/base' %}
{% block main %}
<h1>{{ 'not_found' | t }}</h1>
<p><a href="{{ site.url }}">{{ site.title }}</a></p>
{% endblock %}
`,
  'texts/zh-Hans.json': `${JSON.stringify({ not_found: '找不到页面' }, null, 2)}\n`,
  'texts/en.json': `${JSON.stringify({ not_found: 'Page not found' }, null, 2)}\n`,
};

/** The files of a small theme: its own, and those that all share. */
export const plainTheme = (own: Readonly<Record<string, string>>): ThemeChange['files'] =>
  new Map(
    Object.entries({ ...shared, ...own }).map(([path, text]) => {
      const content = Buffer.from(text);
      return [path, { sha256: createHash('sha256').update(content).digest('hex'), bytes: content.length, content }];
    }),
  );
