import { plainTheme } from '../publishing';
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
  'templates/home.liquid': `{% layout 'layouts/base' %}
{% block main %}
<h1>{{ site.title }}</h1>
{% if site.tagline %}<p>{{ site.tagline }}</p>{% endif %}
{% if settings.welcome %}<p>{{ settings.welcome | newline_to_br }}</p>{% endif %}
{% endblock %}
`,
  'assets/theme.css.liquid': `:root { color-scheme: light dark; --accent: {{ settings.accent }}; }
body { margin: 0; font: 1.0625rem/1.7 system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; }
header, main, footer { max-width: 44rem; margin-inline: auto; padding: 1.5rem; }
header { display: flex; flex-wrap: wrap; gap: 1rem; align-items: baseline; }
.name { font-weight: 600; text-decoration: none; color: inherit; }
nav { display: flex; flex-wrap: wrap; gap: 1rem; margin-inline-start: auto; }
h1 { line-height: 1.25; text-wrap: balance; border-block-end: 0.25rem solid var(--accent); padding-block-end: 0.5rem; }
`,
};

export const blankTheme = (): ThemeChange['files'] => plainTheme(files);
