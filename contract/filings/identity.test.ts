import { isCreditCode, isIdentityNumber, maskedIdentity } from './identity';

// Published codes of Tencent, Huawei and Alibaba's operating company.
test.each([
  ['9144030071526726XG', true],
  ['914403001922038216', true],
  ['91330100799655058B', true],
  ['9144030071526726XF', false],
  ['914403001922038261', false],
  ['9144030071526726X', false],
  ['9144030071526726xg', false],
  ['9I44030071526726XG', false],
  ['', false],
])('%j as a credit code: %s', (code, valid) => {
  expect(isCreditCode(code)).toBe(valid);
});

// The example of the standard, and changes of it.
test.each([
  ['11010519491231002X', true],
  ['440524188001010014', false],
  ['110105194912310021', false],
  ['11010519491331002X', false],
  ['11010519490230002X', false],
  ['11010519491231002x', false],
  ['1101051949123100', false],
])('%j as an identity number: %s', (number, valid) => {
  expect(isIdentityNumber(number)).toBe(valid);
});

test.each([
  ['9144030071526726XG', '9144************XG'],
  ['123456', '******'],
  ['', ''],
])('%s is displayed as %s', (number, masked) => {
  expect(maskedIdentity(number)).toBe(masked);
});
