import base from '../../playwright.config';

/** `npm run test:parts`: the page of all parts, without a server. */
export default { ...base, testDir: '.', outputDir: '../../test-results/parts' };
