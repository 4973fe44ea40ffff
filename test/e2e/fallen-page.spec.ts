import { axe, violations } from './support/axe';
import { expect, speak, test } from './support/accounts';
import { makeFallenPage } from './support/fallenPage';

const fits = () => document.documentElement.scrollWidth <= document.documentElement.clientWidth;

test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

test('on a phone, one tap leads from a fall to its fix', async ({ desk, office, context }) => {
  await speak(office, context, 'en');
  const { path, origin } = await makeFallenPage(office, context);
  const visit = async (): Promise<number> =>
    (await context.request.get(`http://localhost:${office.deliveryPort}${path}`, { headers: { host: new URL(origin).host }, maxRedirects: 0 })).status();
  expect(await visit()).toBe(301);
  await desk.addInitScript({ path: axe });
  await desk.goto('/home');
  await desk.getByRole('link', { name: '−60% Why' }).tap();

  const why = desk.getByRole('region', { name: 'What happened at the same time' });
  await expect(why.getByRole('listitem').filter({ hasText: path })).toContainText('−54 visitors');
  await expect(why).toContainText('“walking notes”: position 3.0 → 14.0 on Google');
  await expect(why).toContainText(/Redirect loop, found .* ago/);
  await expect(why).toContainText(/since release 1/);
  await expect(why).toBeInViewport();
  expect(await violations(desk)).toEqual([]);

  await why.getByRole('button', { name: `Fix here: ${path}` }).tap();
  const panel = desk.getByRole('dialog', { name: `Fix ${path}` });
  await expect(panel.getByRole('status').first()).toHaveText(`${path} answers with its own page, without a redirect.`);
  await panel.getByLabel('Point it elsewhere').check();
  await panel.getByLabel('New address').fill(path);
  await expect(panel.getByRole('status').first()).toHaveText(`${path} still ends in a loop.`);
  await expect(panel.getByRole('button', { name: 'Publish this fix' })).toBeDisabled();
  await panel.getByLabel('Remove the redirect').check();
  expect(await violations(desk)).toEqual([]);
  expect(await desk.evaluate(fits)).toBe(true);
  await panel.getByRole('button', { name: 'Publish this fix' }).tap();

  const steps = panel.getByRole('region', { name: 'Going live' });
  await expect(steps).toContainText('Release 2 is live');
  await expect(steps).toContainText('The address answers 200');
  await expect(steps).toContainText('Redirect loop: fixed');
  expect(await visit()).toBe(200);
  await steps.getByRole('button', { name: 'Back to the dashboard' }).tap();
  await expect(panel).toBeHidden();
  await expect(desk.getByRole('list', { name: 'What happened today' })).toContainText('Release 2 published');
  await expect(why.getByRole('listitem').filter({ hasText: path })).toContainText('Fixed');
});
