/** Base settings of a delivered site: general settings, theme, menus and addresses, releases. */
export default {
  title: 'Site settings',
  tabs: { label: 'Parts of the site settings', general: 'General', theme: 'Theme', menus: 'Menus', releases: 'Releases' },
} as const;
