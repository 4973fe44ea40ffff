export type ColumnName = 'from' | 'to' | 'status' | 'note' | 'expiresOn';
/** Columns by the names that exports of other programs and people use. */
export const columnNames: readonly (readonly [column: ColumnName, pattern: RegExp])[] = [
  ['from', /^(?:from|old|source|source url|redirect from|url from|path|旧网址|来源|原地址)$/i],
  ['to', /^(?:to|new|target|target url|destination|redirect to|url to|新网址|目标|目标地址)$/i],
  ['status', /^(?:status|code|type|status code|redirect type|http code|状态码|类型)$/i],
  ['note', /^(?:note|comment|title|备注|说明)$/i],
  ['expiresOn', /^(?:expires|expires on|expiry|until|到期|失效日期)$/i],
];
