/** What people did in customer service. */
export default {
  settings_changed: '{{who}} changed the settings of customer service of {{target}}',
  paused: '{{who}} paused customer service of {{target}}, or ended the pause',
  removed: '{{who}} deleted conversations with visitors',
  restored: '{{who}} restored conversations with visitors',
  merged: '{{who}} merged a conversation into {{target}}',
  visitor_changed: '{{who}} changed details of a visitor',
  visitor_erased: '{{who}} erased a visitor with all conversations',
  exported: '{{who}} downloaded conversations with visitors as a table',
  block_added: '{{who}} blocked {{target}}',
  block_removed: '{{who}} removed the block of {{target}}',
  block_restored: '{{who}} restored the block of {{target}}',
  canned_added: '{{who}} created the canned reply {{target}}',
  canned_changed: '{{who}} changed the canned reply {{target}}',
  canned_removed: '{{who}} deleted the canned reply {{target}}',
  canned_restored: '{{who}} restored the canned reply {{target}}',
};
