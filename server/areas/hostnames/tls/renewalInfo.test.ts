import { certificateId, momentWithin } from './renewalInfo';

/** RFC 9773, appendix A. */
const example = `-----BEGIN CERTIFICATE-----
MIIBQzCB66ADAgECAgUAh2VDITAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwpFeGFt
cGxlIENBMCIYDzAwMDEwMTAxMDAwMDAwWhgPMDAwMTAxMDEwMDAwMDBaMBYxFDAS
BgNVBAMTC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeBZu
7cbpAYNXZLbbh8rNIzuOoqOOtmxA1v7cRm//AwyMwWxyHz4zfwmBhcSrf47NUAFf
qzLQ2PPQxdTXREYEnKMjMCEwHwYDVR0jBBgwFoAUaYhba4dGQEHhs3uEe6CuLN4B
yNQwCgYIKoZIzj0EAwIDRwAwRAIge09+S5TZAlw5tgtiVvuERV6cT4mfutXIlwTb
+FYN/8oCIClDsqBklhB9KAelFiYt9+6FDj3z4KGVelYM5MdsO3pK
-----END CERTIFICATE-----
`;

test('the example certificate of RFC 9773 has the published id', () => {
  expect(certificateId(example)).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE');
});

test('a chosen renewal time remains while the window contains it', () => {
  const window = { start: new Date(1000), end: new Date(2000) };
  const at = (chosen: number | null) => momentWithin(window, chosen === null ? null : new Date(chosen), () => 0.25).getTime();
  expect([at(null), at(1500), at(500), at(2500)]).toEqual([1250, 1500, 1250, 1250]);
});
