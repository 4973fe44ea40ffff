/** The languages of a site. */
export default {
  title: '语言',
  lead: '网站的页面有以下语言的版本。第一种是默认语言，网址不带前缀。',
  edit: '编辑语言',
  default: '默认语言，网址不带前缀',
  prefix: '网址以 {{prefix}} 开头',
  list: '网站的语言',
  removal: '移除一种语言后，下次发布起就找不到这种语言的页面；已填写的文字仍然保留。',
  add: '添加语言',
  up: '上移“{{language}}”',
  down: '下移“{{language}}”',
  remove: '移除',
  removeOf: '移除“{{language}}”',
  save: '保存',
} as const;
