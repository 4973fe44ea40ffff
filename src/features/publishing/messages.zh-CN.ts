/** Base settings of a delivered site: general settings, theme, menus and addresses, releases. */
export default {
  title: '站点设置',
  tabs: { label: '站点设置的部分', general: '基本', theme: '外观', menus: '导航', releases: '发布' },
} as const;
