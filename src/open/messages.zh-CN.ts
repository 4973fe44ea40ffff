/** Messages of all pages that links open. */
const messages = {
  product: 'Sitewright',
  loading: '正在打开…',
  language: '语言',
  tooMany: '操作太频繁，请稍等一会儿再试。',
  passwordTitle: '这个分享需要密码',
  passwordText: '向分享的人索取密码。',
  password: '密码',
  open: '打开',
  wrong: '密码不对。',
  offline: '网络连接失败，请检查后重试。',
  endedTitle: '链接已失效',
  endedText: '它可能已过期或被停用。需要继续查看，请联系分享的人。',
  failed: '没有打开，请稍后再试。',
  retry: '重试',
};
export default messages;
export type Messages = typeof messages;
