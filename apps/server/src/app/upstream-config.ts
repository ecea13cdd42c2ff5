/** The settings of a broker that others run (configuration.md "An MQTT server of your own"). */
import { readFileSync } from 'node:fs'
import { minuteMs } from '@ithings/contract/durations.ts'
import { phrase } from '@ithings/contract/text.ts'
import * as z from 'zod'
import { readUpstreamUrl, type UpstreamAddress, upstreamUrlForm } from '#engines/mqtt-upstream/upstream-address.ts'
import { TerminalError, wordsOf } from '#terminal.ts'

const empty = (value: unknown) => (value === '' ? undefined : value)
const optionalText = z.preprocess(empty, z.string().optional())

export const upstreamEnvironment = {
  UPSTREAM_MQTT_URL: z.preprocess(
    empty,
    z
      .string()
      .refine((text) => readUpstreamUrl(text) !== undefined, upstreamUrlForm)
      .transform(readUpstreamUrl)
      .optional(),
  ),
  UPSTREAM_MQTT_CREDENTIALS_FILE: optionalText,
  UPSTREAM_MQTT_CA_FILE: optionalText,
  UPSTREAM_MQTT_CLIENT_ID: z.preprocess(
    empty,
    z
      .string()
      .regex(/^[\w.-]{1,64}$/, '只能有字母、数字、_ . 和 -')
      .default('ithings'),
  ),
  UPSTREAM_MQTT_PARTS: z.preprocess(empty, z.coerce.number().int().min(1).max(64).default(1)),
  UPSTREAM_MQTT_EVENTS: z.preprocess(empty, z.enum(['off', 'emqx']).default('off')),
  UPSTREAM_MQTT_OFFLINE_AFTER: z.preprocess(empty, z.coerce.number().int().min(2).max(10_080).optional()),
}

export interface UpstreamSettings {
  address: UpstreamAddress
  /** Client ids of this installation begin with it. */
  clientID: string
  /** Each has a session at the broker and one server that hears it. */
  parts: number
  /** Whose words the broker tells of its clients in. */
  events: 'off' | 'emqx'
  silentMs: number
}

type Environment = z.infer<z.ZodObject<typeof upstreamEnvironment>>

/** A broker that tells who is there may still lose a word. */
const silentMinutes = { off: 10, emqx: 1_440 }

function read(file: string, variable: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new TerminalError(phrase('无法读取 {variable}：{why}', { variable, why: wordsOf(cause) }))
  }
}

/** Two lines: the name and the password. */
function readCredentials(file: string): Pick<UpstreamAddress, 'user' | 'password'> {
  const [user = '', password = ''] = read(file, 'UPSTREAM_MQTT_CREDENTIALS_FILE').toString('utf8').split(/\r?\n/)
  if (user === '') throw new TerminalError(phrase('UPSTREAM_MQTT_CREDENTIALS_FILE 的内容应是一行用户名，下一行密码'))
  return { user, password }
}

/** @throws with a sentence for the operator */
export function readUpstream(e: Environment): UpstreamSettings | undefined {
  const address = e.UPSTREAM_MQTT_URL
  const { UPSTREAM_MQTT_CREDENTIALS_FILE: credentialsFile, UPSTREAM_MQTT_CA_FILE: caFile } = e
  if (!address) return undefined
  if (credentialsFile && address.user !== undefined)
    throw new TerminalError(phrase('UPSTREAM_MQTT_URL 里有用户名，又设置了 UPSTREAM_MQTT_CREDENTIALS_FILE：只能取其一'))
  if (caFile && !address.tls) throw new TerminalError(phrase('UPSTREAM_MQTT_CA_FILE 只用于 mqtts://'))
  return {
    address: {
      ...address,
      ...(credentialsFile && readCredentials(credentialsFile)),
      ...(caFile && { ca: read(caFile, 'UPSTREAM_MQTT_CA_FILE') }),
    },
    clientID: e.UPSTREAM_MQTT_CLIENT_ID,
    parts: e.UPSTREAM_MQTT_PARTS,
    events: e.UPSTREAM_MQTT_EVENTS,
    silentMs: (e.UPSTREAM_MQTT_OFFLINE_AFTER ?? silentMinutes[e.UPSTREAM_MQTT_EVENTS]) * minuteMs,
  }
}
