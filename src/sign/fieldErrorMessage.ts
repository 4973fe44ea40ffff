import type { FailureBody } from '@contract/errors';
import { fill } from './useMessages';
import type { Messages } from './messages.zh-CN';

type FieldError = NonNullable<FailureBody['fields']>[string];

/** The message for one refused field; `name` selects a specific message if the code alone is too vague. */
export function fieldErrorMessage(messages: Messages, name: string, error: FieldError): string {
  const f = messages.fields;
  switch (error.code) {
    case 'required':
      return name === 'login' || name === 'password' || name === 'displayName' || name === 'loginName' ? f[name] : f.invalid;
    case 'too_short':
      return fill(f.tooShort, { min: error.min ?? 1 });
    case 'too_long':
      return fill(f.tooLong, { max: error.max ?? 128 });
    case 'pattern':
      return name === 'loginName' ? f.loginNamePattern : f.invalid;
    case 'digits_only':
      return f.digitsOnly;
    case 'reserved':
      return f.reserved;
    case 'taken':
      return f.inUse;
    case 'common_password':
      return f.commonPassword;
    case 'confusable':
      return f.confusable;
    case 'weak_password':
      return f.weakPassword;
    case 'contains_login':
      return f.containsLogin;
    case 'forbidden_characters':
      return f.forbiddenCharacters;
    case 'not_a_time_zone':
      return f.timeZone;
    default:
      return f.invalid;
  }
}
