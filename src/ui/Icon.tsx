/** Line icons on a 20 × 20 grid: one stroke width, no fills, sized to sit beside 14 px text. */
const paths = {
  home: 'M3 8.5 10 3l7 5.5V16a1 1 0 0 1-1 1h-3.5v-5h-5v5H4a1 1 0 0 1-1-1z',
  dashboard: 'M3 3h6v8H3zM11 3h6v4h-6zM11 9h6v8h-6zM3 13h6v4H3z',
  analytics: 'M3 17h14M5 14v-4M9 14V5M13 14V8M17 14V3',
  person: 'M10 10a3.25 3.25 0 1 0 0-6.5 3.25 3.25 0 0 0 0 6.5zM3.5 17c.6-3 3.2-4.5 6.5-4.5s5.9 1.5 6.5 4.5',
  people:
    'M7.5 9.5a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5zM2 16.5c.5-2.8 2.6-4.2 5.5-4.2s5 1.4 5.5 4.2M13 4.3a2.6 2.6 0 0 1 0 5M14.8 12.6c1.8.5 2.9 1.8 3.2 3.9',
  contacts: 'M5 3h11v14H5zM3 6h2M3 10h2M3 14h2M10.5 10a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5zM7.5 14c.4-1.5 1.5-2.25 3-2.25s2.6.75 3 2.25',
  receipt: 'M5 2.5h10v15l-2.5-1.5-2.5 1.5-2.5-1.5L5 17.5zM7.5 6.5h5M7.5 9.5h5M7.5 12.5h3',
  sitemap: 'M8 3h4v4H8zM3 13h4v4H3zM13 13h4v4h-4zM10 7v3M5 13v-3h10v3',
  table: 'M3 4h14v12H3zM3 8h14M3 12h14M8 8v8',
  image: 'M3 4h14v12H3zM3 14l4-4 6 6',
  play: 'M6 4v12l9-6z',
  file: 'M5 3h7l3 3v11H5zM12 3v3h3',
  folder: 'M3 5h5l2 2h7v9H3z',
  settings: 'M3 6h8M15 6h2M13 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM3 14h2M9 14h8M7 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM13 13l4 4',
  bell: 'M5 14V9a5 5 0 0 1 10 0v5l1.5 1.5h-13zM8.5 17.5h3',
  tasks: 'M3 5l1.5 1.5L7 4M3 11l1.5 1.5L7 10M10 5.5h7M10 11.5h7M3.5 16.5h13.5',
  menu: 'M3 5.5h14M3 10h14M3 14.5h14',
  close: 'M5 5l10 10M15 5 5 15',
  check: 'M4 10.5 8.5 15 16 5.5',
  copy: 'M7 7h9v10H7zM4 13V3h9',
  plus: 'M10 4v12M4 10h12',
  more: 'M4 10h1M9.5 10h1M15 10h1',
  cards: 'M3.5 3.5H9V9H3.5zM11 3.5h5.5V9H11zM3.5 11H9v5.5H3.5zM11 11h5.5v5.5H11z',
  rows: 'M3 4h14v12H3zM3 8h14M3 12h14',
  pin: 'M7 3h6l-.8 5.5 2.3 2.5v1h-9v-1l2.3-2.5zM10 12v5',
  passed: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM6.8 10.2 9 12.4l4.3-4.6',
  failed: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 6.2V11M10 13.7h.01',
  unknown: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM8 8.2a2 2 0 1 1 2.9 1.8c-.6.3-.9.7-.9 1.4M10 14h.01',
  sun: 'M10 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM10 2v2M10 16v2M2 10h2M16 10h2M4.3 4.3l1.4 1.4M14.3 14.3l1.4 1.4M15.7 4.3l-1.4 1.4M5.7 14.3l-1.4 1.4',
  moon: 'M16 12.2A6.5 6.5 0 0 1 7.8 4 6.5 6.5 0 1 0 16 12.2z',
  language: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM3 10h14M10 3c2.5 2 2.5 12 0 14M10 3c-2.5 2-2.5 12 0 14',
  signOut: 'M8 3H4v14h4M12 6.5 15.5 10 12 13.5M7.5 10h8',
  down: 'M5.5 8 10 12.5 14.5 8',
  up: 'M5.5 12 10 7.5l4.5 4.5',
  right: 'M8 5.5l4.5 4.5L8 14.5',
  left: 'M12 5.5 7.5 10l4.5 4.5',
  fold: 'M3 3h14v14H3zM8 3v14',
  refresh: 'M16 10a6 6 0 1 1-1.8-4.3M16 3v3.5h-3.5',
  keyboard: 'M2.5 5.5h15v9h-15zM6 12h8M5.5 8.5h.01M8.5 8.5h.01M11.5 8.5h.01M14.5 8.5h.01',
  warning: 'M10 3 2.5 16.5h15zM10 8v4M10 14.3h.01',
  chat: 'M3 4h14v9H8l-5 4z',
  info: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 9v5M10 6.3h.01',
} as const;

export type IconName = keyof typeof paths;
export const iconNames = Object.keys(paths) as readonly IconName[];

/** Decorative: the text beside it, or its button's label, carries the meaning. */
export const Icon = ({ name, size = 18, className = '' }: { name: IconName; size?: number; className?: string | undefined }) => (
  <svg className={`icon ${className}`} width={size} height={size} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
);
