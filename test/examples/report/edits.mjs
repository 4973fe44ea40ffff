import { after, before } from '../edit.mjs';

/** A report of landscape and portrait screens. */
export default [
  after('contract/analytics/terms.ts', "  'screen',\n", "  'orientation',\n"),
  before(
    'server/areas/analytics/dimensions.ts',
    "  language: { level: 'visit'",
    `  orientation: {
    level: 'visit',
    sql: "multiIf(screen_w = 0, '', screen_w >= screen_h, 'landscape', 'portrait')",
    values: ['landscape', 'portrait'],
    label: { zh: '屏幕方向', en: 'Orientation' },
    unknown,
  },
`,
  ),
  before(
    'server/areas/analytics/keyNames.ts',
    'const pagesWord = counted(unitWords.pages);\n',
    `const orientationNames: Readonly<Record<string, Name>> = {
  landscape: { zh: '横屏', en: 'Landscape' },
  portrait: { zh: '竖屏', en: 'Portrait' },
};

`,
  ),
  before('server/areas/analytics/keyNames.ts', "    case 'newReturning':\n", "    case 'orientation':\n      return from(orientationNames);\n"),
  before('src/features/analytics/messages.en.ts', "    language: 'Language',\n    newReturning", "    orientation: 'Orientation',\n"),
  before('src/features/analytics/messages.en.ts', '  newReturning: { new', "  orientation: { landscape: 'Landscape', portrait: 'Portrait' },\n"),
  after('src/features/analytics/messages.zh-CN.ts', "    screen: '屏幕分辨率',\n", "    orientation: '屏幕方向',\n"),
  before('src/features/analytics/messages.zh-CN.ts', '  newReturning: { new', "  orientation: { landscape: '横屏', portrait: '竖屏' },\n"),
  before(
    'src/features/analytics/useLabels.ts',
    "      case 'newReturning':\n",
    "      case 'orientation':\n        return t(`orientation.${key as 'landscape'}`, { defaultValue: key });\n",
  ),
  after('src/features/analytics/filters.ts', "'browserVersion', 'screen',", " 'orientation',"),
  after('src/features/analytics/filters.ts', "  'deviceType',\n", "  'orientation',\n"),
  before(
    'src/features/analytics/sections.ts',
    "  { id: 'character.pv'",
    `  {
    id: 'orientation',
    blocks: [
      { kind: 'figures', measures: ['visitors', 'visits', 'views'] },
      { kind: 'rows', by: ['orientation'], measures: ['visits', 'visitors'], more: ['bounceRate', 'avgDuration'] },
    ],
  },
`,
  ),
  after(
    'src/routes/config.ts',
    "          { ...report, id: 'site.als.device', path: 'device', title: 'device', nav: inGroup.audience },\n",
    "          { ...report, id: 'site.als.orientation', path: 'orientation', title: 'orientation', nav: inGroup.audience },\n",
  ),
  after('src/routes/messages.en.ts', "  device: 'Devices',\n", "  orientation: 'Orientation',\n"),
  after('src/routes/messages.zh-CN.ts', "  device: '设备与系统',\n", "  orientation: '屏幕方向',\n"),
  before('src/routes/routes.test.tsx', "      '/site/:siteId/als/overview',\n", "      '/site/:siteId/als/orientation',\n"),
  after('test/e2e/analytics-screens.spec.ts', "  device: '设备与系统',\n", "  orientation: '屏幕方向',\n"),
  before(
    'test/oracle/values.ts',
    "    case 'newReturning':\n",
    "    case 'orientation':\n      return about.screenW === 0 ? '' : about.screenW >= about.screenH ? 'landscape' : 'portrait';\n",
  ),
];
