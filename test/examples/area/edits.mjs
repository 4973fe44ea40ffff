import { after, before } from '../edit.mjs';

/** A guestbook: a table, a job that clears it, a screen of the console and a public page. `npm run db:generate` adds its migration. */
export default [
  after('contract/areas.ts', "  { spec: 'core/uptime', folder: 'uptime' },\n", "  { spec: 'guestbook', folder: 'guestbook' },\n"),
  after(
    'contract/permissions.ts',
    "  'tables.design': ['admin'],\n",
    "  /** Write into the guestbook of the site, and clear it. */\n  'guestbook.write': ['admin', 'support'],\n",
  ),
  after('contract/jobs/schemas.ts', "  'demo.traffic',\n", "  'guestbook.clear',\n"),
  after('server/areas/index.ts', "import { area as digests } from './digests';\n", "import { area as guestbook } from './guestbook';\n"),
  after('server/areas/index.ts', '  digests,\n', '  guestbook,\n'),
  after(
    'src/store/contractChecks.ts',
    "import { digestEndpoints } from '@contract/digests/schemas';\n",
    "import { guestbookEndpoints } from '@contract/guestbook/schemas';\n",
  ),
  after('src/store/contractChecks.ts', '  ...digestEndpoints,\n', '  ...guestbookEndpoints,\n'),
  after(
    'src/i18n/namespaces.en.ts',
    '  uptime: () => import(/* webpackChunkName: "messages-uptime-en" */ \'@/features/uptime/messages.en\'),\n',
    '  guestbook: () => import(/* webpackChunkName: "messages-guestbook-en" */ \'@/features/guestbook/messages.en\'),\n',
  ),
  after(
    'src/i18n/namespaces.zh-CN.ts',
    '  uptime: () => import(/* webpackChunkName: "messages-uptime-zh" */ \'@/features/uptime/messages.zh-CN\'),\n',
    '  guestbook: () => import(/* webpackChunkName: "messages-guestbook-zh" */ \'@/features/guestbook/messages.zh-CN\'),\n',
  ),
  before(
    'src/routes/config.ts',
    '    ],\n  },\n] as const satisfies',
    `      {
        id: 'site.guestbook',
        path: 'guestbook',
        title: 'guestbook',
        load: () => import(/* webpackChunkName: "guestbook" */ '@/features/guestbook/GuestbookPage'),
        chunk: 'guestbook',
        messages: ['guestbook'],
        needs: { site: 'guestbook.write' },
        nav: { group: 'content', icon: 'table' },
      },
`,
  ),
  after('src/routes/messages.en.ts', "  dashboard: 'Dashboard',\n", "  guestbook: 'Guestbook',\n"),
  after('src/routes/messages.zh-CN.ts', "  dashboard: '仪表盘',\n", "  guestbook: '留言簿',\n"),
  after(
    'src/features/jobs/messages.en.ts',
    "    'demo.traffic': 'Generate demo traffic: {{name}}',\n",
    "    'guestbook.clear': 'Clear the guestbook: {{name}}',\n",
  ),
  after('src/features/jobs/messages.zh-CN.ts', "    'demo.traffic': '生成演示流量：{{name}}',\n", "    'guestbook.clear': '清空留言簿：{{name}}',\n"),
  after('src/routes/routes.test.tsx', "      '/site/:siteId/dashboard',\n", "      '/site/:siteId/guestbook',\n"),
  after('webpack.config.ts', "form: at('src/open/form/index.tsx')", ", guestbook: at('src/open/guestbook/index.tsx')"),
  after('webpack.config.ts', "page('form.html', 'form', 'open.html')", ", page('guestbook.html', 'guestbook')"),
  after('webpack.config.ts', "      { from: /^\\/form\\//, to: '/form.html' },\n", "      { from: /^\\/guestbook\\//, to: '/guestbook.html' },\n"),
  after('server/http/console.ts', "type Shell = 'index' | 'sign' | 'open' | 'form'", " | 'guestbook'"),
  after('server/http/console.ts', "form: cached('form.html', shell)", ", guestbook: cached('guestbook.html', shell)"),
  before(
    'server/http/console.ts',
    "  app.get<{ Params: { token: string } }>('/form/:token'",
    "  app.get('/guestbook/:siteId', (_request, reply) => page(reply, files, 'guestbook'));\n",
  ),
  before('server/http/open.ts', "  '/frame':", "  '/guestbook/:siteId': 'everybody may read a guestbook',\n"),
  after('scripts/check-size.mjs', 'form: 91', ', guestbook: 80'),
  after('test/security/access.test.ts', "  'forgot',\n", "  'guestbook',\n"),
  after('test/security/walk.ts', "  'tables.design': ['admin'],\n", "  'guestbook.write': ['admin', 'support'],\n"),
];
