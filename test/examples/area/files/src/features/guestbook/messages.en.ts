import type zh from './messages.zh-CN';

/** Guestbook of a site. */
export default { empty: 'Nobody has written yet', clear: 'Remove all entries' } satisfies Record<keyof typeof zh, string>;
