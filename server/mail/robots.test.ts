import { refusedByRobot, robotRequest } from './robots';

const text = { subject: '茶铺：小王在等待回复', text: '[点我](http://evil.example)\n会话：#7', url: 'https://console.example/site/a/cs' };
const request = (robot: 'wecom' | 'feishu' | 'dingtalk', secret = '') => {
  const { url, body } = robotRequest(robot, text, { url: 'https://robot.example/send?key=1', secret, now: 1_700_000_000_000 });
  return { url, body: JSON.parse(body) as Record<string, unknown> };
};

test('each robot gets its own format', () => {
  expect(request('wecom').body).toMatchObject({ msgtype: 'markdown', markdown: { content: expect.stringContaining('**茶铺：小王在等待回复**') } });
  expect(request('dingtalk').body).toMatchObject({ msgtype: 'markdown', markdown: { title: text.subject } });
  expect(request('feishu').body).toMatchObject({ msg_type: 'post', content: { post: { zh_cn: { title: text.subject } } } });
});

test('what a visitor wrote does not become a link', () => {
  for (const robot of ['wecom', 'dingtalk'] as const) expect(JSON.stringify(request(robot).body)).not.toContain('[点我](');
});

test('signatures are those that the robots document', () => {
  // From openssl dgst -sha256 -hmac.
  expect(request('feishu', 'key').body).toMatchObject({ timestamp: '1700000000', sign: 'q6Oev4Wrs23QSZVkmQVsgFJ6N6asqz82R5NA5r3kxD0=' });
  expect(new URL(request('dingtalk', 'key').url).searchParams.get('sign')).toBe('J/e3ja90z6G1KhzBfvEan5y1e/s+VfdKf8Ov6XOE5WU=');
  expect(request('wecom', 'key').url).toBe('https://robot.example/send?key=1');
});

test('a refusal in the body counts as one', () => {
  expect(['{"errcode":0,"errmsg":"ok"}', '{"code":0}', '{"StatusCode":0,"code":0}'].map(refusedByRobot)).toEqual([false, false, false]);
  expect(['{"errcode":93000}', '{"code": 19021,"msg":"sign match fail"}', '{"errcode":-1}'].map(refusedByRobot)).toEqual([true, true, true]);
});
