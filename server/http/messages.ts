import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../contract/errors';
import type { Locale } from './access';

/** The messages of all failures. The console shows them unchanged and only reacts to codes. */
const messages: Record<Locale, Record<ErrorCode, string>> = {
  'zh-CN': {
    bad_request: '请求的格式不正确。',
    precondition_required: '请在请求头 If-Match 中带上读取时的修订号，例如 If-Match: "7"。',
    not_json: '请求的内容不是有效的 JSON。',
    unauthorized: '请先登录。',
    bad_credentials: '登录名或密码不正确。',
    forbidden: '当前账号没有权限执行此操作。',
    reauth_required: '请再次输入密码以确认身份。',
    bad_origin: '请求来自其他网站，或缺少请求头 X-Requested-With: console 或 Origin，已拒绝。脚本请使用令牌。',
    bad_setup_token: '初始化链接无效或已过期，请使用最近一次启动时打印的链接。',
    not_found: '找不到要访问的内容。',
    method_not_allowed: '此地址不支持这种请求方法。',
    request_timeout: '请求的内容没有及时传完，请检查网络后重试。',
    conflict: '与现有内容冲突。',
    conversion_failed: '无法转换视频：未安装 ffmpeg，文件已损坏或编码不受支持，或超出了时间、内存或大小的限制。',
    duplicate_values: '存在重复的值，请先处理重复项。',
    stale_revision: '内容已被他人修改，请核对后再保存。',
    name_taken: '此登录名不可用。',
    slug_taken: '此标识已被使用。',
    host_taken: '此域名已被另一个站点使用。',
    hosts_full: '此站点的域名数量已达上限。',
    not_delivered: '此站点的页面不由本系统提供，不能绑定域名。',
    tls_elsewhere: '证书由前置代理管理，不能在这里上传。',
    email_taken: '此邮箱已被使用。',
    site_suspended: '站点已停用，只有管理员可以修改。',
    bad_transition: '当前状态下不能执行此操作。',
    place_taken: '无法恢复：名称或位置已被其他内容占用。',
    parent_gone: '无法恢复：所属的内容已删除。',
    referenced: '不能删除：有其他记录通过关联字段引用它，且该字段不允许失去引用。',
    already_set_up: '系统已完成安装。',
    source_unreachable: '无法下载：服务器没有响应或连接中断。原来的文件继续使用。',
    source_refused: '无法下载：服务器没有提供这个文件。请检查网址和访问权限。原来的文件继续使用。',
    source_private: '无法下载：网址跳转到了内网地址。原来的文件继续使用。',
    source_too_large: '无法下载：文件过大。原来的文件继续使用。',
    database_unreadable: '下载的文件不是可用的国家/地区地址库。原来的地址库继续使用。',
    database_older: '下载的地址库比正在使用的旧。原来的地址库继续使用。',
    too_large: '提交的内容过大。',
    uri_too_long: '请求的地址过长。',
    unsupported_media_type: '不支持这种内容类型，请使用 application/json。',
    invalid_fields: '部分内容填写有误，请检查后重试。',
    confirm_mismatch: '输入的确认文字与名称不一致。',
    range_not_allowed: '所选时间范围不受支持。',
    too_many_requests: '操作过于频繁，请稍后再试。',
    internal: '服务器出错了，请稍后重试。',
    unavailable: '服务暂时不可用，请稍后重试。',
    engine_refused: '翻译服务拒绝了请求。请检查密钥、用量和语言。',
    engine_unreachable: '翻译服务没有响应。',
    too_slow: '查询耗时过长，已停止。请缩小筛选范围，或为筛选和排序的字段添加索引。',
    analytics_unavailable: '统计数据暂时不可用，已接收的访问不会丢失。',
    bad_code: '验证码不正确或已使用过，请重试。',
    ticket_ended: '验证已超时，请重新登录。',
    enrolment_required: '请先为账号开启两步验证。',
    token_scope: '此令牌的权限范围不包含该操作。',
    link_ended: '链接无效、已使用或已过期。',
    last_owner: '至少要保留一位所有者。',
    immutable: '此内容已生效，不能再修改或删除。',
    amount_exceeded: '金额超出可用余额。',
    currency_mixed: '不能混用不同币种。',
    mail_off: '尚未配置邮件服务器，无法发送邮件。',
    journal_full: '暂时无法接收更多数据，请稍后重试。',
    disk_full: '服务器磁盘空间不足，没有写入任何文件。请清理或扩容后重试。',
  },
  en: {
    bad_request: 'The request is malformed.',
    precondition_required: 'Send the revision that you have read in the header If-Match, for example If-Match: "7".',
    not_json: 'The body of the request is not valid JSON.',
    unauthorized: 'Sign in first.',
    bad_credentials: 'The login name or the password is not correct.',
    forbidden: 'This account may not do that.',
    reauth_required: 'Enter your password again to confirm that it is you.',
    bad_origin: 'The request came from another website, or without the headers X-Requested-With: console and Origin, and was refused. Scripts use a token.',
    bad_setup_token: 'The set-up link is wrong or no longer valid. Use the one printed at the latest start.',
    not_found: 'There is nothing here.',
    method_not_allowed: 'This address does not answer that method.',
    request_timeout: 'The request did not arrive in time. Check the connection and try again.',
    conflict: 'This conflicts with something that exists.',
    conversion_failed:
      'The video could not be converted: ffmpeg is not installed, the file is damaged or uses an unsupported codec, or it exceeds the limits of time, memory or size.',
    duplicate_values: 'Some values occur more than once. Look at the duplicates first.',
    stale_revision: 'Somebody else has changed this meanwhile. Compare before saving.',
    name_taken: 'This login name is not available.',
    slug_taken: 'This identifier is already in use.',
    host_taken: 'Another site uses this hostname.',
    hosts_full: 'This site has as many hostnames as it may have.',
    not_delivered: 'The pages of this site are hosted elsewhere, so it has no hostnames here.',
    tls_elsewhere: 'Certificates are managed in front of this program and cannot be uploaded here.',
    email_taken: 'This e-mail address is already in use.',
    site_suspended: 'The site is suspended. Only managers of the installation can change it.',
    bad_transition: 'That is not possible in the present state.',
    place_taken: 'This cannot be restored: something else has its name or place now.',
    parent_gone: 'This cannot be restored: what it belongs to was deleted.',
    referenced: 'This cannot be deleted: other records refer to it in a field that must not lose it.',
    already_set_up: 'This installation is already set up.',
    source_unreachable: 'The download failed: the server did not answer, or the connection broke off. The current file stays in use.',
    source_refused: 'The download failed: the server does not have the file or refuses it. Check the address. The current file stays in use.',
    source_private: 'The download failed: the address redirects into a private network. The current file stays in use.',
    source_too_large: 'The download failed: the file is too large. The current file stays in use.',
    database_unreadable: 'The downloaded file is not a usable database of countries. The current one stays in use.',
    database_older: 'The downloaded database is older than the one in use, which stays.',
    too_large: 'What was sent is too large.',
    uri_too_long: 'The address of the request is too long.',
    unsupported_media_type: 'This content type is not supported; use application/json.',
    invalid_fields: 'Some fields need attention.',
    confirm_mismatch: 'The confirmation does not match the name.',
    range_not_allowed: 'This time range is not supported.',
    too_many_requests: 'Too many requests. Try again a little later.',
    internal: 'Something went wrong on the server. Try again later.',
    unavailable: 'The service is unavailable at the moment. Try again later.',
    engine_refused: 'The translation service refused the request. Check its key, its limit and the languages.',
    engine_unreachable: 'The translation service did not answer.',
    too_slow: 'This question took too long and was stopped. Narrow the filter, or add an index to the fields that it filters and sorts by.',
    analytics_unavailable: 'Figures are unavailable at the moment. Visits already received are not lost.',
    bad_code: 'The code is wrong or was used before. Try again.',
    ticket_ended: 'The time for the second step is over. Sign in again.',
    enrolment_required: 'Set up two-step verification for your account first.',
    token_scope: 'This token was not made for that.',
    link_ended: 'This link is wrong, has been used or is no longer valid.',
    last_owner: 'At least one owner must remain.',
    immutable: 'This is in force and can no longer be edited or deleted.',
    amount_exceeded: 'The amount is more than what is left.',
    currency_mixed: 'Currencies cannot be mixed here.',
    mail_off: 'No mail server is set up, so no mail can be sent.',
    journal_full: 'No more data can be taken at the moment. Try again later.',
    disk_full: 'The server’s disk has too little free space, so nothing was written. Free up some space, then try again.',
  },
};

export const errorMessageFor = (code: ErrorCode, locale: Locale): string => messages[locale][code];

/** The preferred of the two languages for an Accept-Language value; Chinese if it contains neither (the default). */
export function preferredLocale(acceptLanguage: string | undefined): Locale {
  let best: Locale = 'zh-CN';
  let bestWeight = 0;
  for (const part of (acceptLanguage ?? '').slice(0, 500).split(',')) {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
    const weight = Number(
      parameters
        .map((p) => p.trim())
        .find((p) => p.startsWith('q='))
        ?.slice(2) ?? 1,
    );
    const locale: Locale | null = /^en(-|$)/.test(tag) ? 'en' : /^zh(-|$)/.test(tag) ? 'zh-CN' : null;
    if (locale && weight > bestWeight) [best, bestWeight] = [locale, weight];
  }
  return best;
}

/** The signed-in person's language takes precedence over the browser's. */
export const localeOf = (request: FastifyRequest): Locale => request.session?.locale ?? preferredLocale(request.headers['accept-language']);
