/** Messages around the session: proving who one is. */
export default {
  proof: {
    title: 'Confirm it is you',
    text: 'This needs proof that it is you. It continues right after, with everything you typed.',
    password: 'Password',
    confirm: 'Confirm',
    cancel: 'Cancel',
    passkey: 'Use a passkey',
    passkeyFirst: 'Follow your browser…',
    or: 'or',
    passkeyCancelled: 'No passkey was used. Try again, or enter your password.',
    passkeyRefused: 'This passkey was not accepted. Enter your password.',
    cancelled: 'Not confirmed, so nothing was done.',
  },
} as const;
