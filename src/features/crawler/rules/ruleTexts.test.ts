import { ruleGroups, ruleIds, ruleOf } from '@contract/crawler/rules';
import en from './messages.en';
import zh from './messages.zh-CN';

test.each([
  ['English', en],
  ['Chinese', zh],
])('every rule, group and parameter has texts in %s', (_name, texts) => {
  expect(Object.keys(texts.rule).sort()).toEqual([...ruleIds].sort());
  expect(Object.keys(texts.group).sort()).toEqual([...ruleGroups].sort());
  const parameters = new Set(ruleIds.flatMap((id) => Object.keys(ruleOf(id).parameters ?? {})));
  expect(Object.keys(texts.parameter).sort()).toEqual([...parameters].sort());
});
