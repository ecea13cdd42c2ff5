/** The servers that share one database, and what the database promises (screens.md 32). */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { strInt, text } from '../wire.ts'

const { query, act } = endpointsOf('集群')

/** Stopping: it was told to end by its machine, and sends its devices away first. */
export const ServerState = { serving: 1, draining: 2, drained: 3, stopping: 4 } as const
export type ServerState = (typeof ServerState)[keyof typeof ServerState]
export const serverStateLabels: Record<ServerState, string> = {
  1: '服务中',
  2: '排空中',
  3: '已排空',
  4: '停止中',
}

/** As its last heartbeat told it; a server of an older version tells less. */
export const clusterServer = z.object({
  serverID: z.string(),
  /** Number among the servers; -1: not told. */
  node: z.int(),
  /** Of its machine. */
  name: z.string(),
  version: z.string(),
  state: z.int(),
  startedTime: strInt,
  /** Connections of devices. */
  devices: z.int(),
  /** Messages of devices a second. */
  messageRate: z.number(),
  memoryBytes: z.int(),
  /** How long a notice takes through the bus; -1: not known, or none arrive. */
  signalLagMs: z.number(),
  /** Connections of PostgreSQL that it may open. */
  databaseConnections: z.int(),
})
export type ClusterServer = z.output<typeof clusterServer>

/** What an acknowledgement means. Waiting: two machines are demanded, and the second one is away. */
export const Durability = { one: 1, two: 2, async: 3, waiting: 4, unsafe: 5 } as const
export type Durability = (typeof Durability)[keyof typeof Durability]
export const durabilityLabels: Record<Durability, string> = {
  1: '已确认 = 写入一台机器',
  2: '已确认 = 写入两台机器',
  3: '已确认 = 写入一台机器，备库异步（切换到备库可能丢失最后几秒）',
  4: '要求写入两台机器，但同步备库未连接：写入会一直等待',
  5: 'fsync 已关闭：断电可能丢失已确认的数据',
}

export const standby = z.object({
  name: z.string(),
  address: z.string(),
  /** As PostgreSQL calls them: streaming, catchup ...; sync, quorum, potential, async. */
  state: z.string(),
  syncState: z.string(),
  /** What it has not applied yet. */
  behindBytes: z.int(),
  /** -1: it has nothing to catch up with. */
  behindMs: z.number(),
})
export type Standby = z.output<typeof standby>

export const clusterDatabase = z.object({
  /** Comes with the server, for it alone. */
  embedded: z.boolean(),
  version: z.string(),
  /** Host and port of the primary as it sees itself; '': a socket of this machine. */
  primary: z.string(),
  startedTime: strInt,
  durability: z.int(),
  /** Whether changes by people are promised less than messages of devices are (synchronous_commit of the role). */
  changesMayBeLost: z.boolean(),
  /** False: the account may not see them (pg_read_all_stats). */
  standbysVisible: z.boolean(),
  standbyCount: z.int(),
  standbys: z.array(standby),
  connections: z.int(),
  /** Without those that are kept for superusers. */
  maxConnections: z.int(),
})
export type ClusterDatabase = z.output<typeof clusterDatabase>

/** A setting that all servers of one database must have alike and have not. */
export const clusterDisagreement = z.object({
  setting: z.string(),
  /** '': it is not set there. Without secrets. */
  list: z.array(clusterServer.pick({ serverID: true, node: true, name: true }).extend({ value: z.string() })),
})
export type ClusterDisagreement = z.output<typeof clusterDisagreement>

export const readCluster = query('/api/v1/system/cluster/read', '查看集群', {
  data: z.object({
    list: z.array(clusterServer),
    total: z.int(),
    /** The one that answers. */
    serverID: z.string(),
    /** Age of the oldest message that is not packed into the history yet. */
    packBehindSeconds: z.int(),
    database: clusterDatabase,
    disagreements: z.array(clusterDisagreement),
  }),
})
export type Cluster = z.output<typeof readCluster.data>

const serverKey = z.object({ serverID: text(64, 1) })

export const drainServer = act('/api/v1/system/cluster/drain', '排空服务器', {
  /** `force`: although no other server can take the devices. */
  body: serverKey.extend({ force: z.boolean().optional() }),
})

export const restoreServer = act('/api/v1/system/cluster/restore', '恢复服务器', { body: serverKey })
