/** What is tried first by everybody who tries passwords, as far as our other rules would let it pass with a little more. */
const common = new Set(
  `a aa aaa ab abc abcd abcde abcdef abcdefg abcdefgh admin admin@ administrator asd asdf asdfgh asdfghjkl baseball changeme
  changeit computer default demo dragon football guest hello huawei iloveyou internet iot ithings letmein login manager master
  monkey operator p@ss p@ssw0rd p@ssword pass passw0rd password princess q qaz qazwsx qazxsw qq qwe qweasd qweasdzxc qwer
  qwerty qwertyuiop root secret server shadow sunshine super superman superuser support sysadmin system taobao temp test
  testtest tianya trustno1 user welcome woaini www xiaoming zaq1zaq zaq1xsw zxc zxcvbn zxcvbnm
  1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz 1qaz2wsx 1qaz@wsx 1qazxsw2 123abc 1234abcd 123456 1234567 12345678 123456789 1234567890
  12345678a 123456a a1b2c3d4 111111 11111111 000000 00000000 666666 88888888 5201314 1314520 112233 123123 123123123 123321
  123qwe 123qweasd 11223344 147258369 987654321 87654321`.split(/\s+/),
)

/** In any case of the letters, and with digits or the usual signs behind. */
export function commonPassword(password: string): boolean {
  const lower = password.toLowerCase()
  const withoutSigns = lower.replace(/[!@#.]+$/, '')
  return [lower, withoutSigns, withoutSigns.replace(/\d+$/, ''), lower.replace(/[\d!@#.]+$/, '')].some((one) =>
    common.has(one),
  )
}
