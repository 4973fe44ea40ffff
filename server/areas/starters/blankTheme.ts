import { createHash } from 'node:crypto';
import type { ThemeChange } from '../publishing';

/** The smallest theme that makes a whole site: a home page, pages for unknown addresses, and one style sheet to begin with. */
const files: Readonly<Record<string, string>> = {
  'theme.json': `${JSON.stringify(
    {
      format: 1,
      name: { 'zh-Hans': '空白', en: 'Blank' },
      version: '1.0.0',
      menus: { main: { 'zh-Hans': '主导航', en: 'Main menu' } },
      settings: [
        { key: 'accent', type: 'color', label: { 'zh-Hans': '主色', en: 'Accent colour' }, default: '#1746d1' },
        { key: 'welcome', type: 'long_text', label: { 'zh-Hans': '首页文字', en: 'Text of the home page' }, default: '' },
      ],
      collections: {},
      templates: {
        home: { label: { 'zh-Hans': '首页', en: 'Home' } },
        not_found: { label: { 'zh-Hans': '找不到页面', en: 'Page not found' } },
      },
    },
    null,
    2,
  )}\n`,
  'layouts/base.liquid': `<!doctype html>
<html lang="{{ page.language }}" dir="{{ page.dir }}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{{ content_for_head }}
<link rel="stylesheet" href="{{ 'theme.css' | asset_url }}">
</head>
<body>
<header>
<a href="{{ site.url }}">{{ site.title }}</a>
{% if menus.main %}<nav>{% for item in menus.main %}<a href="{{ item.url }}"{% if item.active %} aria-current="page"{% endif %}>{{ item.title }}</a>{% endfor %}</nav>{% endif %}
</header>
<main>
{% block main %}{% endblock %}
</main>
<footer>{{ content_for_footer }}</footer>
</body>
</html>
`,
  'templates/home.liquid': `{% layout 'layouts/base' %}
{% block main %}
<h1>{{ site.title }}</h1>
{% if site.tagline %}<p>{{ site.tagline }}</p>{% endif %}
{% if settings.welcome %}<p>{{ settings.welcome | newline_to_br }}</p>{% endif %}
{% endblock %}
`,
  'templates/not_found.liquid': `{% layout 'layouts/base' %}
{% block main %}
<h1>{{ 'not_found' | t }}</h1>
<p><a href="{{ site.url }}">{{ site.title }}</a></p>
{% endblock %}
`,
  'assets/theme.css.liquid': `:root { color-scheme: light dark; --accent: {{ settings.accent }}; }
body { margin: 0; font: 1.0625rem/1.7 system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; }
header, main, footer { max-width: 44rem; margin-inline: auto; padding: 1.5rem; }
header { display: flex; flex-wrap: wrap; gap: 1rem; align-items: baseline; }
header > a { font-weight: 600; text-decoration: none; color: inherit; }
nav { display: flex; flex-wrap: wrap; gap: 1rem; margin-inline-start: auto; }
h1 { line-height: 1.25; text-wrap: balance; border-block-end: 0.25rem solid var(--accent); padding-block-end: 0.5rem; }
`,
  'texts/zh-Hans.json': `${JSON.stringify({ not_found: '找不到页面' }, null, 2)}\n`,
  'texts/en.json': `${JSON.stringify({ not_found: 'Page not found' }, null, 2)}\n`,
};

export const blankTheme = (): ThemeChange['files'] =>
  new Map(
    Object.entries(files).map(([path, text]) => {
      const content = Buffer.from(text);
      return [path, { sha256: createHash('sha256').update(content).digest('hex'), bytes: content.length, content }];
    }),
  );
