/** login, logout, whoami and profile: which platform the program speaks with, and as whom. */

import { errors } from '@ithings/contract/errors.ts'
import { keyHintLength, keyStart } from '@ithings/contract/features/api-keys.ts'
import { readResources } from '@ithings/contract/features/users.ts'
import { t } from '@ithings/contract/text.ts'
import type { Command } from 'commander'
import { call, Refusal, type Target } from './call.ts'
import { commonFlags } from './endpoint-command.ts'
import { usageFailure } from './failure.ts'
import type { Given } from './flags.ts'
import { show } from './output.ts'
import { type Place, tell } from './place.ts'
import { findTarget, platformUrl, profilesFile, readProfiles, writeProfiles } from './profiles.ts'

/** Whose key it is; '' when it is a program's, or good for other things than to ask this. */
async function ownerOf(place: Place, target: Target): Promise<string> {
  try {
    return (await call(place, target, readResources, {})).info.userName
  } catch (error) {
    const known: readonly number[] = [errors.permission.code, errors.notFound.code]
    if (error instanceof Refusal && known.includes(error.code)) return ''
    throw error
  }
}

async function readKey(place: Place): Promise<string> {
  const given = place.interactive
    ? await place.ask(t('API 密钥（{start}…，不显示）：', { start: keyStart }), true)
    : await place.readInput()
  const key = given.trim()
  if (key === '') throw usageFailure(t('没有收到 API 密钥'))
  if (!key.startsWith(keyStart)) throw usageFailure(t('API 密钥以 {start} 开头', { start: keyStart }))
  return key
}

async function login(place: Place, given: Given): Promise<void> {
  const name = String(given.profile ?? 'default')
  const { profiles } = await readProfiles(place)
  const known = Object.hasOwn(profiles, name) ? profiles[name]?.url : undefined
  const url = platformUrl(String(given.url ?? place.env.ITHINGS_URL ?? known ?? 'http://127.0.0.1:7777'))
  const key = await readKey(place)
  const owner = await ownerOf(place, { url, key })
  await writeProfiles(place, { current: name, profiles: { ...profiles, [name]: { url, key } } })
  tell(
    place,
    owner
      ? t('已登录 {url}，账号 {owner}，保存为 {name}', { url, owner, name })
      : t('已登录 {url}，保存为 {name}', { url, name }),
  )
}

async function logout(place: Place, given: Given): Promise<void> {
  const { current, profiles } = await readProfiles(place)
  const name = String(given.profile ?? current)
  if (!Object.hasOwn(profiles, name)) throw usageFailure(t('没有名为 {profile} 的登录', { profile: name }))
  const rest = Object.fromEntries(Object.entries(profiles).filter(([one]) => one !== name))
  const next = name === current ? (Object.keys(rest)[0] ?? '') : current
  await writeProfiles(place, { current: next, profiles: rest })
  tell(place, t('已忘记 {name}；密钥本身在控制台撤销', { name }))
}

async function whoami(place: Place, given: Given): Promise<void> {
  const target = await findTarget(place, given.profile as string | undefined)
  const owner = await ownerOf(place, target)
  const { url, profile } = target
  show(place, { url, account: owner, key: `${target.key.slice(0, keyHintLength)}…`, profile }, given)
}

async function profile(place: Place, name: string | undefined, given: Given): Promise<void> {
  const { current, profiles } = await readProfiles(place)
  if (name === undefined) {
    const list = Object.entries(profiles).map(([one, { url }]) => ({ profile: one, url, current: one === current }))
    return show(place, { list }, given)
  }
  if (!Object.hasOwn(profiles, name)) throw usageFailure(t('没有名为 {profile} 的登录', { profile: name }))
  await writeProfiles(place, { current: name, profiles })
  tell(place, t('现在用 {name}', { name }))
}

export function addSignIn(program: Command, place: Place): void {
  commonFlags(
    program
      .command('login')
      .description(t('用 API 密钥登录一个平台'))
      .option(`--url <${t('地址')}>`, t('平台地址'))
      .addHelpText('after', `\n${t('密钥从标准输入读取或询问，保存在 {file}', { file: profilesFile(place) })}`),
  ).action((given: Given) => login(place, given))
  commonFlags(program.command('logout').description(t('忘记一个登录'))).action((given: Given) => logout(place, given))
  commonFlags(program.command('whoami').description(t('连接的是哪个平台、谁的密钥'))).action((given: Given) =>
    whoami(place, given),
  )
  commonFlags(
    program
      .command('profile')
      .argument(`[${t('名称')}]`)
      .description(t('列出登录，或换成另一个')),
  ).action((name: string | undefined, given: Given) => profile(place, name, given))
}
