import { SupportSettings } from '@contract/support/settings';
import { bodyOf, inputOf } from './settingsInput';
import { placeOf } from './useSettingsForm';

const settings = SupportSettings.parse({
  hours: { timeZone: 'UTC' },
  prechat: { fields: [{ field: 'custom1', label: { en: 'Order number', fr: 'Numéro' } }], topics: [{ name: '批发', label: { en: 'Wholesale' } }] },
  hasWebhookSecret: false,
  recipients: 0,
  mail: true,
  revision: 1,
});

test('questions and topics are edited in each language of the site', () => {
  const input = inputOf(settings, ['zh-Hans', 'en']);
  expect(input.prechat.labels.custom1).toEqual({ 'zh-Hans': '', en: 'Order number', fr: 'Numéro' });
  input.prechat.labels.custom1 = { ...input.prechat.labels.custom1, 'zh-Hans': ' 订单号 ', en: '' };
  input.prechat.fields.name = 'optional';
  expect(input.prechat.topics).toEqual([{ name: '批发', labels: { 'zh-Hans': '', en: 'Wholesale' } }]);
  input.prechat.topics.push({ name: ' ', labels: {} });
  expect(bodyOf(input).prechat?.topics).toEqual([{ name: '批发', label: { en: 'Wholesale' } }]);
  expect(bodyOf(input).prechat?.fields).toEqual([
    { field: 'name', required: false, label: {} },
    { field: 'custom1', required: false, label: { 'zh-Hans': '订单号', fr: 'Numéro' } },
  ]);
});

test('errors of topics stand at their rows, even below empty ones', () => {
  const input = inputOf(settings, ['zh-Hans', 'en']);
  input.prechat.topics = [{ name: ' ', labels: { en: '' } }, ...input.prechat.topics, { name: '', labels: {} }, { name: '批发', labels: {} }];
  expect(['prechat.topics.0.label.en', 'prechat.topics.1.name'].map((path) => placeOf(path, input))).toEqual([
    'prechat.topics.1.labels.en',
    'prechat.topics.3.name',
  ]);
});
