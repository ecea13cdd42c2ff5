/** Which platform, by which key: profiles in the user's configuration folder, over them the environment. */
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { posix, win32 } from 'node:path'
import { t } from '@ithings/contract/text.ts'
import * as z from 'zod'
import type { Target } from './call.ts'
import { Failure, usageFailure } from './failure.ts'
import type { Place } from './place.ts'

const stored = z.object({
  current: z.string(),
  profiles: z.record(z.string(), z.object({ url: z.string(), key: z.string() })),
})
export type Profiles = z.output<typeof stored>
type Where = Pick<Place, 'env' | 'platform' | 'home'>

/** Where each system keeps what programs are told once. */
export function profilesFile({ env, platform, home }: Where): string {
  if (platform === 'win32')
    return win32.join(env.APPDATA || win32.join(home, 'AppData', 'Roaming'), 'ithings', 'profiles.json')
  const folder =
    platform === 'darwin' ? posix.join(home, 'Library', 'Application Support') : posix.join(home, '.config')
  return posix.join(env.XDG_CONFIG_HOME || folder, 'ithings', 'profiles.json')
}

export async function readProfiles(where: Where): Promise<Profiles> {
  const file = profilesFile(where)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Failure(t('无法读取文件 {file}（{code}）', { file, code: error.code }))
  })
  if (text === undefined) return { current: '', profiles: {} }
  try {
    return stored.parse(JSON.parse(text))
  } catch {
    throw new Failure(t('{file} 已损坏；删除它，再用 ithings login 登录', { file }))
  }
}

/** Keys lie in it: nobody else may read it, not even for the moment in which it is written. */
export async function writeProfiles(where: Where, profiles: Profiles): Promise<void> {
  const file = profilesFile(where)
  const folder = (where.platform === 'win32' ? win32 : posix).dirname(file)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const fresh = `${file}.${process.pid}.new`
  try {
    await writeFile(fresh, `${JSON.stringify(profiles, undefined, 2)}\n`, { mode: 0o600 })
    await chmod(fresh, 0o600)
    await rename(fresh, file)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
}

/** http://host:7777/anything is the platform at http://host:7777. */
export function platformUrl(given: string): string {
  const url = URL.parse(/^[a-z]+:\/\//i.test(given) ? given : `http://${given}`)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '')
    throw usageFailure(t('平台地址须如 https://iot.example.com，收到 {given}', { given }))
  return url.origin
}

/** @param asked by --profile, else ITHINGS_PROFILE, else the one that was signed in to last */
export async function findTarget(place: Where, asked: string | undefined): Promise<Target & { profile: string }> {
  const { ITHINGS_URL, ITHINGS_KEY, ITHINGS_PROFILE } = place.env
  if (ITHINGS_URL && ITHINGS_KEY) return { url: platformUrl(ITHINGS_URL), key: ITHINGS_KEY, profile: '' }
  const { current, profiles } = await readProfiles(place)
  const profile = asked || ITHINGS_PROFILE || current
  const found = Object.hasOwn(profiles, profile) ? profiles[profile] : undefined
  if (!found && (asked || ITHINGS_PROFILE))
    throw usageFailure(t('没有名为 {profile} 的登录，ithings profile 列出全部', { profile }))
  const url = ITHINGS_URL ? platformUrl(ITHINGS_URL) : found?.url
  // A key belongs to its platform: it is not sent to another one that the environment names.
  const key = ITHINGS_KEY || (found && url === found.url ? found.key : '')
  if (!url || !key) throw usageFailure(t('还没有登录：ithings login --url 平台地址，或设置 ITHINGS_URL 和 ITHINGS_KEY'))
  return { url, key, profile: found ? profile : '' }
}
