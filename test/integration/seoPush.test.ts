import { jest } from '@jest/globals';
import type { Verification } from '../../contract/seo/verificationSchemas';
import { makeBlog, makeDeliveringProgram } from '../support/deliveredSite';
import type { Blog, DeliveringProgram } from '../support/deliveredSite';
import { until } from '../support/until';

jest.setTimeout(60_000);
let program: DeliveringProgram;
let blog: Blog;
let base: string;

beforeAll(async () => {
  program = await makeDeliveringProgram();
  blog = await makeBlog(program, 'push');
  base = `/api/site/${blog.site.id}/seo`;
});
afterAll(() => program.close());

const fileName = 'google0123456789abcdef.html';
const addProof = async (body: object): Promise<Verification> => {
  const response = await program.owner.send('POST', `${base}/verifications`, body);
  if (response.statusCode !== 200) throw new Error(response.body);
  return response.json<{ data: Verification }>().data;
};
const refusedField = async (body: object) => {
  const response = await program.owner.send('POST', `${base}/verifications`, body);
  expect(response.statusCode).toBe(422);
  return response.json<{ fields: Record<string, { code: string }> }>().fields;
};

describe('verification of ownership', () => {
  test('a draft answers with the file at once', async () => {
    expect((await blog.visit(`/${fileName}`)).statusCode).toBe(404);
    const proof = await addProof({ service: 'google', method: 'file', name: fileName });
    expect(proof).toMatchObject({ url: `http://push.localhost:3001/${fileName}`, delivered: null });
    await until(async () => (await blog.visit(`/${fileName}`)).statusCode === 200);
    const file = await blog.visit(`/${fileName}`);
    expect(file.body).toBe(`google-site-verification: ${fileName}`);
    expect(file.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    });
    expect((await blog.visit(`/${fileName.toUpperCase()}`)).statusCode).toBe(404);
    expect(await refusedField({ service: 'google', method: 'file', name: fileName })).toEqual({ name: { code: 'duplicate' } });
    expect(await refusedField({ service: 'google', method: 'file', name: 'index.html' })).toEqual({ name: { code: 'pattern' } });
  });

  test('a pasted element is in the head of every page, released or not', async () => {
    const element = '<meta name="baidu-site-verification" content="codeva-AbC" />';
    const proof = await addProof({ service: 'baidu', method: 'meta', content: element });
    expect(proof).toMatchObject({ name: 'baidu-site-verification', content: 'codeva-AbC' });
    const delivered = '<meta name="baidu-site-verification" content="codeva-AbC">';
    await until(async () => (await blog.visit('/')).body.includes(delivered));
    const ids = await blog.addPosts({ title: '春茶', slug: 'spring', body: '<p>春</p>' });
    await blog.release(ids);
    await until(async () => (await blog.visit('/blog/spring')).statusCode === 200);
    for (const path of ['/', '/en', '/archive', '/blog/spring', '/nothing']) expect((await blog.visit(path)).body).toContain(delivered);
    expect((await program.owner.send('DELETE', `${base}/verifications/${proof.id}`)).statusCode).toBe(204);
    await until(async () => !(await blog.visit('/blog/spring')).body.includes('baidu-site-verification'));
  });

  test('the audit log names proofs that came and went', async () => {
    const entries = await program.owner.get(`/api/acc/audit`);
    expect(entries.body).toContain(fileName);
  });
});
