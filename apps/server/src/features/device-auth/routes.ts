import { AppError, type CatalogueError, errors } from '@ithings/contract/errors.ts'
import * as contract from '@ithings/contract/features/device-auth.ts'
import { phrase, type Words } from '@ithings/contract/text.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import type { DeviceAuth } from './device-auth.ts'
import type { DeviceAuthDeps } from './device-auth-deps.ts'
import { register } from './register.ts'
import type { TopicUse } from './topic-rules.ts'

/** errors.md: denials are HTTP 400, whatever their code. */
const denied = (entry: CatalogueError, words: { msg?: Words; detail?: Words }) =>
  new AppError(entry, { ...words, status: 400 })

/** A whole factory may register from one address. */
const registrationsPerMinute = 600

interface Credentials {
  username?: string
  password?: string
  clientID?: string
  ip?: string
}

export function deviceAuthRoutes(deps: DeviceAuthDeps, auth: DeviceAuth): MountedEndpoint[] {
  async function requireLogin({ username = '', password = '', clientID = '', ip = '' }: Credentials): Promise<void> {
    const answer = await auth.login({ clientID, userName: username, password, ip })
    if (!answer.ok) throw denied({ code: answer.code, msg: answer.msg }, {})
  }
  async function requireTopic(clientID: string, use: TopicUse, topic: string): Promise<void> {
    if (await auth.mayUse(clientID, use, topic)) return
    const detail =
      use === 'publish' ? phrase('不能发布到主题 {topic}', { topic }) : phrase('不能订阅主题 {topic}', { topic })
    throw denied(errors.permission, { detail })
  }
  return [
    on(contract.authLogin, (input) => requireLogin(input)),
    on(contract.authAccess, ({ clientID, access, topic }) => requireTopic(clientID, access, topic)),
    on(contract.authRootCheck, () => {
      throw denied(errors.permission, { detail: phrase('没有超级用户') })
    }),
    on(contract.authRegister, (input) => register(deps, input), { perMinute: registrationsPerMinute }),
    on(contract.auth5Login, async (input) => {
      await requireLogin(input)
      return { result: 'allow' as const, is_superuser: false }
    }),
    on(contract.auth5Access, async ({ clientID, action, topic }) => {
      await requireTopic(clientID, action, topic)
      return { result: 'allow' as const }
    }),
  ]
}
