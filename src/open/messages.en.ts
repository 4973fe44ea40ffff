import type { Messages } from './messages.zh-CN';

/** Messages of all pages that links open. */
export default {
  product: 'Sitewright',
  loading: 'Opening…',
  language: 'Language',
  tooMany: 'Too many tries. Wait a moment, then try again.',
  passwordTitle: 'This needs a password',
  passwordText: 'Ask the person who shared it with you.',
  password: 'Password',
  open: 'Open',
  wrong: 'That is not the password.',
  offline: 'No connection. Check it, then try again.',
  endedTitle: 'This link no longer works',
  endedText: 'It has expired or was switched off. To see it again, ask the person who shared it.',
  failed: 'It could not be opened. Try again in a moment.',
  retry: 'Try again',
} satisfies Messages;
