import type zh from './messages.zh-CN';

/** Messages around a public report. The reports have their own. */
export default {
  loading: 'Opening…',
  label: 'Reports',
  skip: 'Skip to the report',
  readOnly: 'Shared, read only',
  until: 'Until {{date}}',
  language: 'Language',
  passwordTitle: 'This needs a password',
  passwordText: 'Ask the person who shared it with you.',
  password: 'Password',
  open: 'Open',
  wrong: 'That is not the password.',
  endedTitle: 'This link no longer works',
  endedText: 'It has expired or was switched off. To see the reports again, ask the person who shared them.',
  failed: 'It could not be opened. Try again in a moment.',
  retry: 'Try again',
  nowhere: 'This report was not shared with you',
  back: 'Back to the shared reports',
} satisfies typeof zh;
