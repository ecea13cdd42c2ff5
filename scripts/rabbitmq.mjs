// Another MQTT server that somebody else runs, in the tests. It is made of many packages: only the unpacked ones are used.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { folderOf, programEnv } from './debian-programs.mjs'

/**
 * @returns {{ server: string, runtime: string, erlang: string, env: NodeJS.ProcessEnv } | undefined} the program, the
 * folder of Erlang's own programs, that of its libraries, and what all of them need
 */
export function findRabbitmq() {
  const folder = folderOf('rabbitmq-server')
  const releases = join(folder, 'usr/lib/rabbitmq/lib')
  const erlang = join(folder, 'usr/lib/erlang')
  const [release] = existsSync(releases) ? readdirSync(releases) : []
  const runtime = existsSync(erlang) ? readdirSync(erlang).find((one) => one.startsWith('erts-')) : undefined
  if (!release || !runtime) return undefined
  const server = join(releases, release, 'sbin/rabbitmq-server')
  return { server, runtime: join(erlang, runtime, 'bin'), erlang, env: programEnv('rabbitmq-server') }
}
