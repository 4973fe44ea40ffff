import { createHmac } from 'node:crypto';
import type { SupportWebhookKind } from '../../contract/support/terms';

/** Group robots of chat programs, whose webhooks have formats of their own. */
export type Robot = Exclude<SupportWebhookKind, 'json'>;

/** A message before it is written in the format of its receiver. `text`: lines; `url`: of a page of the console, empty for none. */
export type RobotText = { readonly subject: string; readonly text: string; readonly url: string };

/** WeCom and DingTalk read some Markdown: what a visitor wrote must not become a link or a heading. */
const plain = (text: string): string => text.replaceAll(/[\\`*_{}[\]<>#|]/g, String.raw`\$&`);
const most = 1500;
const shortened = (text: string): string => (text.length > most ? `${text.slice(0, most)}…` : text);

function bodyFor(robot: Robot, { subject: title, text, url }: RobotText): object {
  const lines = text.split('\n');
  const markdown = shortened(lines.map((line) => `> ${plain(line)}`).join('\n'));
  switch (robot) {
    case 'wecom':
      return { msgtype: 'markdown', markdown: { content: `**${plain(title)}**\n${markdown}\n[${url}](${url})` } };
    case 'dingtalk':
      return { msgtype: 'markdown', markdown: { title, text: `#### ${plain(title)}\n\n${markdown.replaceAll('\n', '\n\n')}\n\n[${url}](${url})` } };
    case 'feishu':
      return {
        msg_type: 'post',
        content: {
          post: { zh_cn: { title, content: [...lines.map((line) => [{ tag: 'text', text: shortened(line) }]), [{ tag: 'a', text: url, href: url }]] } },
        },
      };
  }
}

/**
 * Address and body for a robot, signed if there is a secret: DingTalk signs in the address (milliseconds), Feishu in the body (seconds), WeCom not at all. Made
 * when the message is sent, because both refuse a signature that is older than an hour.
 */
export function robotRequest(
  robot: Robot,
  text: RobotText,
  { url, secret, now }: { readonly url: string; readonly secret: string; readonly now: number },
): { readonly url: string; readonly body: string } {
  const body = bodyFor(robot, text);
  if (secret === '' || robot === 'wecom') return { url, body: JSON.stringify(body) };
  if (robot === 'feishu') {
    const timestamp = String(Math.floor(now / 1000));
    return { url, body: JSON.stringify({ timestamp, sign: createHmac('sha256', `${timestamp}\n${secret}`).update('').digest('base64'), ...body }) };
  }
  const signed = new URL(url);
  signed.searchParams.set('timestamp', String(now));
  signed.searchParams.set('sign', createHmac('sha256', secret).update(`${now}\n${secret}`).digest('base64'));
  return { url: signed.href, body: JSON.stringify(body) };
}

/** Whether a robot refused a message: the status of its response is 200 all the same, and the body contains the error. */
export const refusedByRobot = (beginning: string): boolean => /"(?:errcode|code|StatusCode)"\s*:\s*-?[1-9]/.test(beginning);
