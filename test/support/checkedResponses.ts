import { responseCheck } from '@/store/api';
import { checkResponses as checkAgainstContract } from '@/store/contractChecks';

/** In the tests of a file, a response that the contract does not describe fails the test, also if nothing on the screen depends on it. */
export function checkResponses(): void {
  checkAgainstContract();
  const check = responseCheck.current;
  const drifts: unknown[] = [];
  responseCheck.current = (call, data) => {
    try {
      check?.(call, data);
    } catch (error) {
      drifts.push(error);
      throw error;
    }
  };
  afterEach(() => {
    const [first] = drifts.splice(0);
    if (first !== undefined) throw first;
  });
}
