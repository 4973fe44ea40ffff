/** Messages of sharing a report. */
export default {
  button: 'Share',
  title: 'Share this report',
  membersText: 'Opens this view for everybody who has access to {{site}}.',
  members: 'Copy link for members',
  publicText: 'Anybody with a public link sees this report without an account, with this range and comparison.',
  publicFiltered: 'Anybody with a public link sees this report without an account, with this range and comparison. The filters stay set.',
  create: 'Create public link',
  notPublic: 'This report cannot be opened without an account, because it shows single visitors or definitions of your team.',
  oneGoal: 'A public link counts conversions of all goals. Choose all goals to create one.',
  tooMany: 'A public link can hold {{count}} filters at most.',
  failed: 'No link was created',
  copied: 'Link created and copied',
  created: 'Link created',
  link: 'Public link',
  copyPublic: 'Copy public link',
  manage: 'Password, end date and other links',
} as const;
