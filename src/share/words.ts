import type { UiLocale } from '@/lib/preferences';

/** Words around a shared report. The reports have their own. */
const zh = {
  loading: '正在打开…',
  label: '报表',
  skip: '跳到正文',
  readOnly: '只读分享',
  until: '有效期至 {{date}}',
  language: 'English',
  passwordTitle: '这个分享需要密码',
  passwordText: '向分享的人索取密码。',
  password: '密码',
  open: '打开',
  wrong: '密码不对。',
  endedTitle: '链接已失效',
  endedText: '它可能已过期或被停用。需要继续查看，请联系分享的人。',
  failed: '没有打开，请稍后再试。',
  retry: '重试',
  nowhere: '这张报表没有分享给你',
  back: '回到分享的报表',
};
const en: typeof zh = {
  loading: 'Opening…',
  label: 'Reports',
  skip: 'Skip to the report',
  readOnly: 'Shared, read only',
  until: 'Until {{date}}',
  language: '中文',
  passwordTitle: 'This needs a password',
  passwordText: 'Ask whoever shared it with you.',
  password: 'Password',
  open: 'Open',
  wrong: 'That is not the password.',
  endedTitle: 'This link has ended',
  endedText: 'It has expired or was switched off. To see the reports again, ask whoever shared them.',
  failed: 'It could not be opened. Try again in a moment.',
  retry: 'Try again',
  nowhere: 'This report was not shared with you',
  back: 'Back to the shared reports',
};

export const sharedWords: Readonly<Record<UiLocale, typeof zh>> = { 'zh-CN': zh, en };
