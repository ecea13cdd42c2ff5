/** The HTTP API beside the browser: what another person or another program does meanwhile. */
import { createHash } from 'node:crypto'
import type { BodyInput, DataOf, Endpoint } from '@ithings/contract/endpoint.ts'
import { login, PasswordType } from '@ithings/contract/features/users.ts'
import type { Platform } from './platform.ts'
import type { Account } from './program.ts'

export interface Answer<Data> {
  status: number
  code: number
  msg: string
  data: Data
}

export async function send<E extends Endpoint>(
  platform: Platform,
  endpoint: E,
  body: BodyInput<E>,
  token = '',
): Promise<Answer<DataOf<E>>> {
  const response = await fetch(`${platform.origin}${endpoint.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'iThings-token': token },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as Omit<Answer<DataOf<E>>, 'status'>
  return { status: response.status, ...answer }
}

export type Caller = <E extends Endpoint>(endpoint: E, body: BodyInput<E>) => Promise<DataOf<E>>

/** What is asked for where the captcha is on. */
type Answered = { codeID: string; code: string }

export async function signInByCall(platform: Platform, { account, password }: Account, captcha?: Answered) {
  const md5 = createHash('md5').update(password).digest('hex')
  const body = { account, password: md5, pwdType: PasswordType.md5, loginType: 'pwd', ...captcha } as const
  const { code, msg, data } = await send(platform, login, body)
  if (code !== 200) throw new Error(`${account} could not sign in: ${code} ${msg}`)
  return { token: data.token.accessToken, userID: data.info.userID }
}

/** Signs in without a browser; the returned function fails on any refusal. */
export async function makeCaller(platform: Platform, who: Account, captcha?: Answered): Promise<Caller> {
  const { token } = await signInByCall(platform, who, captcha)
  return async (endpoint, input) => {
    const answer = await send(platform, endpoint, input, token)
    if (answer.code !== 200) throw new Error(`${endpoint.path} was refused: ${answer.code} ${answer.msg}`)
    return answer.data
  }
}
