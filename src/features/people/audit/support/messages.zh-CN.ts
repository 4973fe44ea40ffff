/** What people did in customer service. */
export default {
  settings_changed: '{{who}} 修改了 {{target}} 的客服设置',
  paused: '{{who}} 暂停了 {{target}} 的客服，或结束了暂停',
  removed: '{{who}} 删除了访客会话',
  restored: '{{who}} 恢复了访客会话',
  merged: '{{who}} 将一个会话合并到 {{target}}',
  visitor_changed: '{{who}} 修改了访客资料',
  visitor_erased: '{{who}} 彻底删除了一位访客及其全部会话',
  exported: '{{who}} 导出了访客会话表格',
  block_added: '{{who}} 屏蔽了 {{target}}',
  block_removed: '{{who}} 取消了对 {{target}} 的屏蔽',
  block_restored: '{{who}} 恢复了对 {{target}} 的屏蔽',
  canned_added: '{{who}} 新建了快捷回复 {{target}}',
  canned_changed: '{{who}} 修改了快捷回复 {{target}}',
  canned_removed: '{{who}} 删除了快捷回复 {{target}}',
  canned_restored: '{{who}} 恢复了快捷回复 {{target}}',
};
