import { clearGuestbook } from '../../server/areas/guestbook';
import { startWorker } from '../../server/worker';
import { makeTestApp } from '../support/app';
import { until } from '../support/until';

test('anybody reads a guestbook, and clearing it is a job', async () => {
  const program = await makeTestApp();
  const owner = await program.signUpOwner();
  const site = await program.makeSite(owner);
  const entries = async () => (await program.browser().get(`/api/guestbook/${site.id}`)).json<{ data: { text: string }[] }>().data.map(({ text }) => text);
  await owner.send('POST', `/api/core/sites/${site.id}/guestbook`, { text: '你好' });
  expect(await entries()).toEqual(['你好']);
  await owner.send('POST', `/api/core/sites/${site.id}/guestbook/clear`);
  const worker = startWorker(program.ctx, [clearGuestbook]);
  await until(async () => (await entries()).length === 0);
  await worker.close();
  await program.close();
});
