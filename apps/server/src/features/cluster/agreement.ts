/** Settings that all servers of one database must have alike, compared by what each tells of itself (scaling.md 2). */
import type { ClusterDisagreement } from '@ithings/contract/features/cluster.ts'
import type { Background } from '#background/background.ts'
import { livingServers, type ServerRow } from '#features/devices/door.ts'
import type { Signal } from '#ports/signal.ts'
import type { ClusterDeps } from './cluster-deps.ts'

/** As often as servers tell about themselves. */
const everyMs = 5_000

const natsUrl = 'NATS_URL'
const upstreamUrl = 'UPSTREAM_MQTT_URL'

/** One that is not set where the other is shows in the address alone: the rest belongs to it. */
const differ = (setting: string, a: string, b: string): boolean =>
  a !== b && (setting === natsUrl || setting === upstreamUrl || (a !== '' && b !== ''))

const settingOf = ({ facts }: ServerRow, setting: string): string => facts.settings?.[setting] ?? ''

/** One of an older version does not tell its settings. */
const telling = (rows: ServerRow[]): ServerRow[] => rows.filter(({ facts }) => facts.settings !== undefined)

/** The settings in which servers differ, with what each of them has. */
export function findDisagreements(rows: ServerRow[]): ClusterDisagreement[] {
  const told = telling(rows).sort((a, b) => (a.facts.node ?? -1) - (b.facts.node ?? -1))
  const settings = [...new Set(told.flatMap(({ facts }) => Object.keys(facts.settings ?? {})))]
  return settings.flatMap((setting) => {
    const list = told.map((row) => ({
      serverID: row.server_id,
      node: row.facts.node ?? -1,
      name: row.facts.name ?? '',
      value: settingOf(row, setting),
    }))
    return list.some((one) => list.some((other) => differ(setting, one.value, other.value))) ? { setting, list } : []
  })
}

/** Servers of one NATS cluster may be reached by different lists; two lists with nothing in common may be two clusters. */
function hearEachOther(a: string, b: string): boolean {
  const hosts = new Set(a.split(', '))
  return b.split(', ').some((host) => hosts.has(host))
}

const shown = (value: string): string => value || 'not set'

const effectOf = (setting: string): string =>
  setting === natsUrl
    ? 'notices between these servers may not arrive, set it alike on all'
    : 'whoever hears the MQTT server goes on, the others take no part of it until all have the same'

/** For whoever runs this server. */
export function sentencesOf(disagreements: ClusterDisagreement[], serverID: string): string[] {
  return disagreements.flatMap(({ setting, list }) => {
    const own = list.find((one) => one.serverID === serverID)
    const others = list.filter((one) => own && differ(setting, own.value, one.value))
    if (!own || others.length === 0) return []
    const theirs = others.map(({ node, name, value }) => `${shown(value)} on server ${node} (${name})`)
    return `${setting} is ${shown(own.value)} here and ${theirs.join(', ')}: ${effectOf(setting)}`
  })
}

interface Watched extends Pick<ClusterDeps, 'db' | 'serverID' | 'alone'> {
  signal: Pick<Signal, 'doubt'>
  background: Background
  log: { info(context: object, text: string): void; warn(context: object, text: string): void }
}

/** Looks once before it resolves. While notices of a living server cannot arrive, memory is not trusted. */
export async function watchAgreement({ db, serverID, alone, signal, background, log }: Watched) {
  if (alone) return async () => undefined
  let said = ''
  const look = async () => {
    const rows = telling(await livingServers(db))
    const own = rows.find(({ server_id }) => server_id === serverID)
    signal.doubt(
      own !== undefined && rows.some((row) => !hearEachOther(settingOf(own, natsUrl), settingOf(row, natsUrl))),
    )
    const sentences = sentencesOf(findDisagreements(rows), serverID)
    const text = sentences.join('\n')
    if (text === said) return
    if (text === '') log.info({}, 'the servers of this database have the same settings again')
    else for (const sentence of sentences) log.warn({}, sentence)
    said = text
  }
  await look()
  const loop = background.every({ name: 'cluster.agreement', everyMs, firstMs: everyMs, run: look })
  return () => loop.stop()
}
