/** Code with which receivers verify messages, in common languages. `test/integration/tablesWebhooksHandbook.test.ts` runs the same code. */
export const snippets = {
  'Node.js': `import { createHmac, timingSafeEqual } from 'node:crypto';

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace('whsec_', ''), 'base64');

// body: the raw text of the request, before JSON.parse
export function verify(headers, body) {
  const id = headers['webhook-id'];
  const time = headers['webhook-timestamp'];
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false;
  const expected = createHmac('sha256', key).update(\`\${id}.\${time}.\${body}\`).digest();
  return headers['webhook-signature'].split(' ').some((part) => {
    const signature = Buffer.from(part.replace('v1,', ''), 'base64');
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}`,
  Python: `import base64, hashlib, hmac, os, time

key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

# body: the raw bytes of the request, before json.loads
def verify(headers, body):
    id, sent = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(sent)) > 300:
        return False
    expected = hmac.new(key, f"{id}.{sent}.".encode() + body, hashlib.sha256).digest()
    return any(
        hmac.compare_digest(base64.b64decode(part.removeprefix("v1,")), expected)
        for part in headers["webhook-signature"].split(" ")
    )`,
  openssl: `# The signature that webhook-signature has to hold:
key=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -vtx1 | tr -d ' \\n')
printf 'v1,'
{ printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP"; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64`,
} as const;
export type SnippetLanguage = keyof typeof snippets;
export const snippetLanguages = Object.keys(snippets) as SnippetLanguage[];
