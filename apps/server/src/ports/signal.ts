/** Notices between the servers that share one database: "what you remember about this is stale". */
export interface SignalMap {
  /** A user's status, role or token version changed (0: all users). */
  'access.user': { userID: number }
  /** A role's APIs, menus or status changed (0: all roles). */
  'access.role': { roleID: number }
  /** A session was signed out. */
  'access.session': { sid: string; expiresAt: number }
  /** An API key was changed or revoked. */
  'access.key': { id: number }
  /** A device came, changed or went: what was remembered about it is stale (deviceName '': all of the product). */
  'device.changed': { productID: string; deviceName: string }
  /** The platform settings changed. */
  'settings.changed': Record<string, never>
  /** A product, its thing model or its script changed, or it is gone. */
  'product.changed': { productID: string }
  /** A scene came, changed or went (0: several). */
  'scene.changed': { sceneID: number }
  /** A forwarding rule came, changed or went. */
  'forward.changed': { id: number }
  /** Devices came into groups or left them, or groups moved: who belongs where is stale. */
  'group.changed': Record<string, never>
  /** These devices (id, number of the connection) have connected to another server: their older connections end. */
  'session.taken': { serverID: string; sessions: Array<[number, number]> }
  /** That server shall have no devices, or may have them again: it reads which. */
  'server.drain': { serverID: string }
  /** A message for a device of that server waits in downlink_relay. */
  'downlink.relayed': { serverID: string }
  /** Messages wait for the stored sessions of these devices, which are connected to that server. */
  'session.queued': { serverID: string; deviceIDs: number[] }
  /** A device answered a command that another server sent: whoever waits reads the answer from the history. */
  'command.answered': { deviceID: number; token: string }
  /** Runs over many devices may have work: every server takes its part. */
  'rollout.ready': Record<string, never>
  /** Something that screens follow changed; `serverID`: on a server whose own screens know it already. */
  'live.changed': { topic: string; changes: string[]; serverID?: string }
  /** Somebody waits for a lock: whoever holds it lets go soon. */
  'lock.wanted': { name: string }
  /** Screens of a server look at these topics; said again every half minute while they do. */
  'live.watched': { serverID: string; topics: string[] }
}

export type SignalName = keyof SignalMap

/** Notices that concern one server, or whoever follows a topic, and the field that says which. All others concern all. */
export const addressed = {
  'session.taken': 'serverID',
  'downlink.relayed': 'serverID',
  'session.queued': 'serverID',
  'live.changed': 'topic',
} as const satisfies { [N in SignalName]?: keyof SignalMap[N] }

export type AddressedName = keyof typeof addressed

export interface Signal {
  /** Tells every server that it concerns, this one included (before the promise resolves). */
  send<N extends SignalName>(name: N, notice: SignalMap[N]): Promise<void>
  on<N extends Exclude<SignalName, AddressedName>>(name: N, listener: (notice: SignalMap[N]) => void): void
  /** Notices for this server or topic only. @returns a function that ends it */
  hear<N extends AddressedName>(name: N, address: string, listener: (notice: SignalMap[N]) => void): () => void
  /** Called when notices may have been missed: forget everything remembered. */
  onGap(listener: () => void): void
  /** False while notices of other servers cannot arrive; do not trust memory then. */
  readonly connected: boolean
  /** Other servers use another one, so that some notices do not arrive: not connected for as long as this is so. */
  doubt(on: boolean): void
  /** How long the last notice to itself took; undefined: not known, or none arrive. */
  readonly lagMs?: number | undefined
  start(): Promise<void>
  stop(): Promise<void>
}
