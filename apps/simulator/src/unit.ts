/** All of a virtual device but its connection: the thing, its firmware, its remote configuration. */
import { makeRemoteConfig } from './remote-config.ts'
import { Thing, type ThingParts } from './thing.ts'
import { Upgrade, type UpgradeParts } from './upgrade.ts'

export interface Unit extends Pick<Thing, 'topics' | 'heard' | 'start' | 'stop'> {
  readonly thing: Thing
  /** Of its main module. */
  readonly version: string | undefined
  /** By module. */
  readonly versions: Readonly<Record<string, string>>
  /** The remote configuration that it got last. */
  readonly configuration: string | undefined
}

export function makeUnit(parts: ThingParts & Pick<UpgradeParts, 'away'>): Unit {
  const thing = new Thing(parts)
  const upgrade = new Upgrade({ ...parts, thing })
  const config = makeRemoteConfig(thing, parts.counts, parts.send)
  const { remoteConfig = true } = parts.options
  return {
    thing,
    topics: [...thing.topics, ...upgrade.topics, ...(remoteConfig ? config.topics : [])],
    heard(topic, payload) {
      if (topic.head === 'ota') upgrade.heard(topic, payload)
      else if (topic.head === 'config') config.heard(topic, payload)
      else thing.heard(topic, payload)
    },
    start() {
      upgrade.reportVersions()
      if (remoteConfig) config.ask()
      thing.start()
    },
    stop() {
      upgrade.stop()
      thing.stop()
    },
    get version() {
      return upgrade.version
    },
    get versions() {
      return upgrade.versions
    },
    get configuration() {
      return config.text
    },
  }
}
