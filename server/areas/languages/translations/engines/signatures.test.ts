import { acs3Authorization, tc3Authorization } from './signatures';

test('the documented request to Alibaba Cloud has the documented signature', () => {
  const headers = {
    host: 'ecs.cn-shanghai.aliyuncs.com',
    'x-acs-version': '2014-05-26',
    'x-acs-action': 'RunInstances',
    'x-acs-date': '2023-10-26T10:22:32Z',
    'x-acs-signature-nonce': '3156853299f313e23d1673dc12e1703d',
    'x-acs-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  };
  const query = 'ImageId=win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd&RegionId=cn-shanghai';
  expect(acs3Authorization({ id: 'YourAccessKeyId', secret: 'YourAccessKeySecret' }, { headers, query, body: '' })).toBe(
    'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
  );
});

test('the documented request to Tencent Cloud has the documented signature', () => {
  const headers = { 'content-type': 'application/json; charset=utf-8', host: 'cvm.tencentcloudapi.com' };
  const body = String.raw`{"Limit": 1, "Filters": [{"Values": ["\u672a\u547d\u540d"], "Name": "instance-name"}]}`;
  // The key of the documentation, in two halves so that nobody takes it for one that is in use.
  const key = { id: 'example', secret: ['Gu5t9xGARNpq86cd', '98joQYCN3EXAMPLE'].join('') };
  expect(tc3Authorization(key, { service: 'cvm', headers, body, seconds: 1_551_113_065 })).toBe(
    'TC3-HMAC-SHA256 Credential=example/2019-02-25/cvm/tc3_request, SignedHeaders=content-type;host, Signature=72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168',
  );
});
