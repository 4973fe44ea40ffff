/** Messages of the page that a link to a view opens. */
const messages = {
  readOnly: '只读分享',
  drafts: '含未发布的内容',
  until: '有效期至 {date}',
  search: '搜索',
  sortBy: '排序',
  sortOwn: '默认顺序',
  ascending: '{column}，升序',
  descending: '{column}，降序',
  sortColumn: '按{column}排序',
  download: '下载 CSV',
  downloading: '正在下载…',
  downloadFailed: '下载失败，请稍后再试。',
  count: '共 {n} 条',
  countOne: '共 1 条',
  countMore: '超过 {n} 条',
  more: '加载更多',
  moreBusy: '正在加载…',
  end: '这里最多显示前 {n} 条，可以用搜索查找其余内容。',
  empty: '还没有内容',
  nothing: '没有找到符合的内容',
  clear: '清除搜索',
  noGroup: '未填写',
  table: '内容列表，可左右滚动',
  rowsFailed: '内容没有加载出来，请稍后再试。',
};
export default messages;
export type ViewMessages = typeof messages;
