/** Messages around the session: proving who one is. */
export default {
  proof: {
    title: '确认是你本人',
    text: '这项操作需要确认身份。确认后会接着完成，填写的内容都还在。',
    password: '密码',
    confirm: '确认',
    cancel: '取消',
    passkey: '用通行密钥确认',
    passkeyFirst: '按浏览器的提示操作…',
    or: '或',
    passkeyCancelled: '没有用上通行密钥。可以再试一次，或输入密码。',
    passkeyRefused: '这个通行密钥没有被接受，请输入密码。',
    cancelled: '没有确认身份，这项操作未执行。',
  },
} as const;
