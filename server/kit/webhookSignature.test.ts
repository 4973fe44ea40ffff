import { newWebhookSecret, secretOf, signatureHeaders, signatureOf } from './webhookSignature';

/** The example from the specification's reference libraries. */
const example = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

test('the signature matches the specification', () => {
  expect(signatureOf(example.secret, example.id, example.timestamp, example.body)).toBe(example.signature);
});

test('each secret adds a signature, separated by spaces', () => {
  const other = newWebhookSecret();
  const { id, timestamp, body } = example;
  expect(signatureHeaders({ id, timestamp, body, secrets: [example.secret, other] })).toEqual({
    'webhook-id': id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': `${example.signature} ${signatureOf(other, id, timestamp, body)}`,
  });
});

test('a secret is shown as whsec_ and 32 bytes in Base64', () => {
  expect(newWebhookSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newWebhookSecret()).not.toBe(newWebhookSecret());
  expect(secretOf(Buffer.from('key'))).toBe('whsec_a2V5');
});
