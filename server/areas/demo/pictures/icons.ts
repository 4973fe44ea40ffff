/** Icons in lines of the current colour, on a square of 24 units. */
const icon = (body: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="96" height="96" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">${body}</svg>`;

export const icons = {
  note: icon('<path d="M6 3h9l4 4v14H6z"/><path d="M15 3v4h4M9.5 12h6M9.5 16h4"/>'),
  link: icon('<path d="M10 14a4 4 0 0 0 5.7 0l3.6-3.6a4 4 0 0 0-5.7-5.7L12 6.3"/><path d="M14 10a4 4 0 0 0-5.7 0l-3.6 3.6a4 4 0 0 0 5.7 5.7L12 17.7"/>'),
  search: icon('<circle cx="10.5" cy="10.5" r="6.5"/><path d="M15.5 15.5L21 21"/>'),
  sync: icon('<path d="M4 12a8 8 0 0 1 14-5.3L20 9M20 4v5h-5M20 12a8 8 0 0 1-14 5.3L4 15M4 20v-5h5"/>'),
  tag: icon('<path d="M3 12V4h8l10 10-7.5 7.5z"/><circle cx="7.5" cy="8.5" r="1.2"/>'),
  lock: icon('<rect x="5" y="11" width="14" height="10" rx="2"/><path d="M8 11V7.5a4 4 0 0 1 8 0V11M12 15v2.5"/>'),
};

/** The sign of the site: a spruce on a note. */
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="192" height="192"><title>Yunshan Notes</title><rect width="96" height="96" rx="22" fill="#1f5c50"/><path d="M26 16h34l12 12v52H26z" fill="#f7f6ec"/><path d="M60 16v12h12z" fill="#c6d8cb"/><path d="M49 30l9 15h-5l8 12h-6l8 11H52v6h-6v-6H35l8-11h-6l8-12h-5z" fill="#2f7d6c"/></svg>';
